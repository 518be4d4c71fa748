"""A typed local client of the HTTP API, for the command line, the tray and tests."""
