"""Determines which project a directory belongs to, so that projects stay separate."""
