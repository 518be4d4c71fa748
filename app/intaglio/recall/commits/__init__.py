"""Finds commits by words, by files and by meaning."""
