"""Repairs of the graph: names that mean nothing, entities without a type, unlinked memories."""
