"""Telling from its words what a user decided, prefers or forbids; pure, no database."""
