"""Memories over time: how many were added and changed in which range."""
