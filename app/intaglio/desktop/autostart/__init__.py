"""Start at login, and links to Intaglio: what each operating system wants to have written."""
