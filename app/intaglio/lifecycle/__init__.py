"""What crosses the owners' tables: forget, recover and erase, each a list in one transaction."""
