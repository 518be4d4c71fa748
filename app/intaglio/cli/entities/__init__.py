"""`intaglio entities`: what memories are about, and the user's changes of it."""
