"""The queue of work that is done in the background; rules only, no loop."""
