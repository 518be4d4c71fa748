"""Checkpoints: where a session stood, for when its agent loses the conversation."""
