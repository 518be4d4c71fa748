"""The git repository of the workspace: commits, pull and push, so that nothing of it runs."""
