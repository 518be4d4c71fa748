"""What first prompts are told of the commits of their project; see `command`."""
