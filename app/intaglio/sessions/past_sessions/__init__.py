"""Which past sessions a prompt is told, and what of them."""
