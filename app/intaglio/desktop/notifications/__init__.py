"""Notifications: which notes are shown and when, and how they reach the desktop."""
