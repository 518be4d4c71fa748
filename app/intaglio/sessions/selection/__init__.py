"""Chooses what a session is told at its start."""
