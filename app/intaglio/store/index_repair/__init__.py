"""Notices damaged full-text indexes, and builds them anew."""
