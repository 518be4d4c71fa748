"""Models behind asynchronous ports; nothing here uses the database."""
