"""The command line: a client of the daemon, which it reaches over HTTP."""
