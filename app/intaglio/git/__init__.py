"""Git repositories: which one a folder belongs to, and git run on it so that nothing of it runs."""
