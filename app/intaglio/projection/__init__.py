"""Maps of memories: their vectors laid out in two and three dimensions."""
