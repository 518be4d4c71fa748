"""How well the reading of sessions works, with a scripted model that notes everything."""
