"""How the installation is: the checks of all packages together, and their repairs."""
