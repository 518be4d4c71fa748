"""Agents on the command line as language models: one request, no tools, nothing of the user's."""
