"""Forgetting, restoring and erasing memories across all packages, and the retention sweep."""
