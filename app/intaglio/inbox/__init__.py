"""What the user decides on: suggested memories, and memories that contradict each other."""
