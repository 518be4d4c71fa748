"""Changes of whole projects, and projects whose folder has moved."""
