"""The embeddings of all memories: their sets, gaps, export, health and repair."""
