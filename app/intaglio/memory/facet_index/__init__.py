"""Facet counts: how many memories have each value, under any filter."""
