"""Endpoints of the knowledge graph."""
