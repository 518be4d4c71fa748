"""The dashboard in a real browser; a package, so that pytest ends its browser when it leaves it."""
