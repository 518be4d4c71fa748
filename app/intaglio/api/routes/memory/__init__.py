"""The endpoints that change memories, one or many, and show them in other ways than recall."""
