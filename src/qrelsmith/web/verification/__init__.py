"""Checks of a whole database, and repairs of what older versions accepted."""
