"""Commits of the user's projects: read from git, stored with their messages and files."""
