"""Finds past sessions by what was said in them, by words and by meaning."""
