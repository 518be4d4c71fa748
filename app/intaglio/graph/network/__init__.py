"""The graph as a picture: the neighbours of one entity, and the most important entities."""
