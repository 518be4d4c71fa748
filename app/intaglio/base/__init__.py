"""Foundations that every package uses: ids, clock, text, errors, settings, paths, events, log."""
