"""This process: its threads, and its signals while it starts."""
