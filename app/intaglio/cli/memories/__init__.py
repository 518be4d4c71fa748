"""The commands on memories: remember, recall, list, show, edit, forget, restore."""
