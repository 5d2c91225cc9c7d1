"""Background work: a queue in the database, and threads of the app's processes that empty it."""
