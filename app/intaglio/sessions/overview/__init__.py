"""Pages about sessions: a session with its counts, and what happened in it."""
