"""The agents that share this memory: which one asks. Their table comes with the roster."""
