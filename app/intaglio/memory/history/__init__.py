"""What happened to memories: every change, by whom and why."""
