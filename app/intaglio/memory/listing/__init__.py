"""The orders of the memory list and the cursors of its pages."""
