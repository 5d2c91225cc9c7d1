"""The server of the app: the campaign's folder, startup, logs and set-up checks."""
