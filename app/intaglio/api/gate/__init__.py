"""The gate in front of the API: who asks, what is refused unread, and which role may do what."""
