"""Two docs compared: what is shown, what was answered, and which answers stand."""
