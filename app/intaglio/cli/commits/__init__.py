"""`intaglio commits`: what was read of projects' repositories, and whether they are read."""
