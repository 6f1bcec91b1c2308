"""What each optional transformation is worth: programs without it, in turns with those that have it."""
