"""Notifications: which are shown, when, and how they reach the desktop."""
