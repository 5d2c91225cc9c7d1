"""The campaign's files into the database: topics, docs, assignments, judgments.

Every step can be repeated: what is there already is left as it is, what has changed becomes a new
version. Everything is read before anything is recorded.
"""
