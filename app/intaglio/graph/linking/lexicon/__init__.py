"""The words that the linker knows: tools, languages, formats, organizations, names, ordinary words."""
