"""Memories, their history, and the verbs on these tables alone."""
