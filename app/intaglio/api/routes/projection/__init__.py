"""Endpoints of maps of memories."""
