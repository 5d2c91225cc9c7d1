"""File formats of other programs, recognised by content and read as plain columns."""
