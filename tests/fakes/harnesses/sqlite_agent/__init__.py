"""A harness that keeps its sessions in a database and is configured by several files."""
