"""Updates: whether there is one, which the package manager knows, and what is new in it."""
