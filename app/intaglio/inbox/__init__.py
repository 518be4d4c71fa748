"""What waits for the user's decision: suggested memories, and memories that contradict."""
