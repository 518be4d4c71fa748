"""The SQLite kernel: one writer, several readers, migrations, full-text index, backups."""
