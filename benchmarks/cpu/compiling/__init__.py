"""How long it takes from a parsed program to its first result."""
