"""Ratings of memories by sessions."""
