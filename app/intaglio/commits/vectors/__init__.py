"""Vectors of commit messages: how they are made and stored."""
