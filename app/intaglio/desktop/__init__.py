"""The desktop app: tray icon, windows, notifications and the daemon's supervisor."""
