"""Finds memories that say the same, and forgets all but one of each."""
