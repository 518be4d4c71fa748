"""Removes Intaglio from a user's account: what it wrote outside of its program's folder."""
