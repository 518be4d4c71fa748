"""`intaglio map`: the state of maps of memories, and their runs."""
