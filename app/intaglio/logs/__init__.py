"""Reads the daemon's log: pages from the end, filters, and what is added."""
