"""The import of history: sessions that were there before, from harnesses and from exports."""
