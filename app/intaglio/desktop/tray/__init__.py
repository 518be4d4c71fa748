"""The tray: its menu as plain values, its icon, and the view without an icon."""
