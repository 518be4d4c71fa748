"""Codex: its hooks and the user's trust in them, and its rollouts, which are its transcripts."""
