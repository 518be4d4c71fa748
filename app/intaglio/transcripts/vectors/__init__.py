"""Vectors of what was said in sessions, so that they are found by meaning, too."""
