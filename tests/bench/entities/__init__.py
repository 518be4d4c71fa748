"""How well entities are found and resolved, on labelled sentences."""
