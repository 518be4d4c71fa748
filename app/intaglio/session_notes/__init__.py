"""What a language model notes of a session as a whole, and reads in single messages of it."""
