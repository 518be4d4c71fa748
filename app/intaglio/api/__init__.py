"""The HTTP API: who may ask, what they may ask, and how refusals look; rules live in the rooms."""
