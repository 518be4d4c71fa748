"""The endpoints that read, change, filter and count memories."""
