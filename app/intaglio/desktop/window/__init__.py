"""The window: a process of its own for each kind of window, and who starts and speaks to it."""
