"""Start at login and link handling: the entries that each operating system reads."""
