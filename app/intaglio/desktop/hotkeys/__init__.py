"""Global keyboard shortcuts that open quick remember and quick search."""
