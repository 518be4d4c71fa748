"""The decisions of the user on inbox items, and their undoing."""
