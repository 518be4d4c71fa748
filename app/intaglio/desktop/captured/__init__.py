"""What was captured since the user last opened the dashboard."""
