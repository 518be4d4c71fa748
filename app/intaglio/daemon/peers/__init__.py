"""Which user a connection comes from, asked of the operating system when it is accepted."""
