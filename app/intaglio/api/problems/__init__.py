"""Refusals at the HTTP edge: their kinds, how they are answered, how they are described."""
