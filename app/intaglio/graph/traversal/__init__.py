"""Focal entities, and the walk of the graph from them."""
