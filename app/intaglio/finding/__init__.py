"""Finds anything that Intaglio keeps, of all kinds at once."""
