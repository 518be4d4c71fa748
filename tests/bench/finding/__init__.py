"""What a search over everything finds in two months of work."""
