"""One module of handlers for each room."""
