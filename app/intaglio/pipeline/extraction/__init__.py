"""Reads facts and relations in memories by a language model, and decides what they change."""
