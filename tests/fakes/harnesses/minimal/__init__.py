"""The least that a harness can be; nothing but this folder knows of it."""
