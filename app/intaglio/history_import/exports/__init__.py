"""Exports of ChatGPT and Claude: uploads, archives, formats, and what is kept of them."""
