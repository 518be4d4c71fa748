"""`intaglio import`: the import of past sessions."""
