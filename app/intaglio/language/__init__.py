"""What the program knows of languages: words, their stems and classes, and what says the same."""
