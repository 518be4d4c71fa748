"""The write pipeline: remembers and modifies memories, each in one transaction."""
