"""The campaign's files into the database: topics, docs, assignments, judgments.

Every step can be repeated: what is there already is left as it is, what has changed becomes a new
version. One import is one transaction: it is recorded as a whole or not at all.
"""
