"""The tray: its menu as plain values, its icon, and what stands in where there is no tray."""
