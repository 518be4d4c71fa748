"""The settings: their definitions, and how they are read."""
