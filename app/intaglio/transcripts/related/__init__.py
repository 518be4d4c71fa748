"""Which earlier sessions a session is about the same subject as."""
