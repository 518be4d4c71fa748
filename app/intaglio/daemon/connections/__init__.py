"""The daemon's connections: their HTTP protocol, and how many of them may wait."""
