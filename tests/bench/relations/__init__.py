"""How well `relate` tells what a newer statement does to an older one."""
