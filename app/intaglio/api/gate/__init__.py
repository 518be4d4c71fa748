"""The gate in front of the API: authentication, request limits and access control."""
