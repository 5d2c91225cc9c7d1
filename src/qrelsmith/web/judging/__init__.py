"""The base of all kinds of judgment, from accepting a judgment to verifying the log."""
