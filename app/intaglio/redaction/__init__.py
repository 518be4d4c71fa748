"""Who may do what, and what may be written down: redaction of secrets, later tokens and limits."""
