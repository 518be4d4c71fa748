"""The status of the daemon: its process, its database, and what is wrong."""
