"""Language models behind one protocol: servers over HTTP, and agents on the command line."""
