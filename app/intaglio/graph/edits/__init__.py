"""What the user changes in the graph, each change with its undo."""
