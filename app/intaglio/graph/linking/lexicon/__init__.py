"""The words that the linker knows: tools, languages, formats, given names, ordinary words."""
