"""Connects harnesses by editing their own configuration; works without the daemon."""
