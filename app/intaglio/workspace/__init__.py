"""The workspace's files, written into the files of instructions that agents read."""
