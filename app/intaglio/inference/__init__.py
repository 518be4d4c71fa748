"""Models behind asynchronous ports, and nothing that touches the database."""
