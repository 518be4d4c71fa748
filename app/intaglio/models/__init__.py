"""The language model that the user chose: what it is asked, what that costs, and its limits."""
