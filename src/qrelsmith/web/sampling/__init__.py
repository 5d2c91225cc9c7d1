"""A sample of docs that people judge in the app: its waves and its estimates."""
