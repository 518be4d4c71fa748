"""Pauses of capture: when they are, and what was said inside them; the hooks are elsewhere."""
