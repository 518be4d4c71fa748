"""From a question to the memories that answer it, best first."""
