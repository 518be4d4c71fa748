"""The command `intaglio config`."""
