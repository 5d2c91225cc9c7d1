"""Files as other programs write them, recognised by their content and read as plain columns."""
