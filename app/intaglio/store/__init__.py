"""The SQLite layer: one writer, several readers, migrations, full-text index, backups."""
