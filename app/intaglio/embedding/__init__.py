"""The vectors of all memories together: their sets, gaps, export, health and repair."""
