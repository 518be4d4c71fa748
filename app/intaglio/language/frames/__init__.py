"""What a statement says of what: its typed values, and the words that tell its subject."""
