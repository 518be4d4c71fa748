"""Memories and their history: values, filters, SQL and the operations on them."""
