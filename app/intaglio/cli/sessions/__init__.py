"""`intaglio sessions`: what sessions were told and asked, and what was captured from them."""
