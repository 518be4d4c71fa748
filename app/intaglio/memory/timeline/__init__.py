"""What happened to memories in ranges of time."""
