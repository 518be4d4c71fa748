"""Questions that memories answer, by which recall finds them in other words."""
