"""The command line: it shows and asks; the daemon does, over HTTP."""
