"""Start at login, switched by the daemon on behalf of a dashboard."""
