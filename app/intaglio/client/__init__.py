"""The typed local client of the HTTP API: for the command line, the tray, tests and others."""
