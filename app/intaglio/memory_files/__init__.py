"""Memories that are read in the Markdown files which users and harnesses keep as memory."""
