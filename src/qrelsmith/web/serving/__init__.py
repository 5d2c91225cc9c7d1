"""The server around the app: where its campaign lies, starting, logs, checks of a set-up."""
