"""The server around the app: its campaign's folder, starting, logs, checks of a set-up."""
