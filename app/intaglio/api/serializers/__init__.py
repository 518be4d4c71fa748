"""Convert domain values to the structs of the API."""
