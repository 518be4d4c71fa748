"""The vectors of memories: which model made them, and to which contents they belong."""
