"""Which project a directory belongs to, so that nothing of one project reaches another."""
