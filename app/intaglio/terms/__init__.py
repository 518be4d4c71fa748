"""Index terms: how texts are split into them, which are searched, and what each weighs."""
