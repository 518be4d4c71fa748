"""One module per harness: hook payload in, hook reply out, transcripts; and the hooks' spool."""
