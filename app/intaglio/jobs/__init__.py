"""The queue of background jobs; rules and SQL only, no loop."""
