"""The campaign's files into the database: topics, docs, assignments, judgments.

Every step can be repeated: what is there already is left as it is, what has changed becomes a new
version, so that an import that was interrupted is resumed by starting it again.
"""
