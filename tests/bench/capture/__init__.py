"""The capture benchmark: labelled sessions, training, and what is kept of them."""
