"""Harnesses: one folder each behind a common protocol, plus shared dispatch and spool."""
