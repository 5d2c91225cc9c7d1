"""One kind of judgment: what every kind shares, from accepting a judgment to verifying the log."""
