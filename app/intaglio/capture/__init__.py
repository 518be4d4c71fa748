"""Detects a user's decisions, preferences and rules in text; pure, no database."""
