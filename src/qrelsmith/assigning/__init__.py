"""Who judges what, and in which order."""
