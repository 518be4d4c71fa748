"""What was said in sessions: stored, searched by whole sessions, and deleted again."""
