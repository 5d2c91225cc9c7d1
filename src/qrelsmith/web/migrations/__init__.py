"""How the database came to its schema, step by step; released steps are never changed."""
