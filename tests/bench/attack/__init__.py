"""``python3 app bench attack``: attacks a real daemon and prints what held."""
