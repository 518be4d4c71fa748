"""The rules by which names are found in a text."""
