"""Recall: finds and ranks the memories that answer a question."""
