"""How memories come to be and change: from what is asked to rows in one transaction."""
