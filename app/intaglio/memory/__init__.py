"""Memories, their history, and the operations on these tables alone."""
