"""The files of the database: whether they are still the ones that are open, and saved copies."""
