"""Lays vectors out in two and three dimensions, in a process of its own."""
