"""The desk: tray, window, notifications, and the supervisor that keeps the daemon alive."""
