"""The command `intaglio projects`."""
