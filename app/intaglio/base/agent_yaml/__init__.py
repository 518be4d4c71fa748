"""``agent.yaml``: parsed with positions and edited in place; the roster and the keys of Signet."""
