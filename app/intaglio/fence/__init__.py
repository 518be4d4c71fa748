"""The fence around memories that are injected into a session."""
