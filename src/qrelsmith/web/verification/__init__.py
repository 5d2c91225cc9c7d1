"""Checks of the whole database, and repairs of data that older versions accepted."""
