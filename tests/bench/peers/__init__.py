"""Other memory systems, measured with the same data."""
