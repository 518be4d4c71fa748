"""What every room stands on: ids, clock, text, errors, settings, paths, events, log."""
