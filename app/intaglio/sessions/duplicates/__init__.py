"""Finds what says the same: two memories, or a memory and a project's instruction files."""
