"""OpenCode 1 and 2: a plugin that runs within it, and the database with its sessions."""
