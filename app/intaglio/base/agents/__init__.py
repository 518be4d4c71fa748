"""Agent ids, and the rule that decides which memories an agent may read."""
