"""`intaglio status` and `intaglio doctor`: whether everything works, and what is wrong."""
