"""What every room knows of agents: how they are named, and who may read what."""
