"""Errors at the HTTP edge: their types, and the responses they become."""
