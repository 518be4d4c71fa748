"""Pauses of capture."""
