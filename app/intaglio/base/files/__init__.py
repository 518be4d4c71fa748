"""Files of people and other programs: read with care, and kept out of their Git."""
