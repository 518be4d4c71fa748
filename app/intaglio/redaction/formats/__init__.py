"""The formats of secrets: a small language for them, and the tables written in it."""
