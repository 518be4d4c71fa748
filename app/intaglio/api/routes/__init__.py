"""The HTTP handlers, one module per package."""
