"""The review of captured memories: which of them the present judge would not keep."""
