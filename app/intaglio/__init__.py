"""Intaglio: the memory of a developer's AI coding agents."""

__version__ = "0.1.0"
