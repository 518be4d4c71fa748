"""One folder per harness behind one protocol, and what all of them share: dispatch and spool."""
