"""How many memories there are of each value, under any filter."""
