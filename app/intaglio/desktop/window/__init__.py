"""The app's windows: one process for each kind, and the code that starts and controls it."""
