"""Arguments as language models send them."""
