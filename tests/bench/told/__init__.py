"""What sessions are told of conversations that settled something; see `command`."""
