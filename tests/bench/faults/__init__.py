"""Faults injected into a real daemon: what names them, how soon, and what mends them."""
