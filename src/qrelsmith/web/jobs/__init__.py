"""Background jobs: a queue in the database, and worker threads in the app's processes."""
