"""The agents that share this memory: the roster, what each may read, and which one asks."""
