"""The command `intaglio models`."""
