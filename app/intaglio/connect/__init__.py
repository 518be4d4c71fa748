"""What writes a harness's own configuration; works with the daemon down."""
