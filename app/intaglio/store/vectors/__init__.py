"""The vector index: one-bit codes in memory, rescored with the stored vectors."""
