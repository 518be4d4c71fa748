"""Redaction of secrets from text before it is stored or logged."""
