"""The programs that harnesses run: each is rendered as one file that needs only Python."""
