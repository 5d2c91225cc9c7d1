"""Import of campaign files into the database: topics, docs, assignments, judgments.

Every step can be repeated: existing data does not change, and changed data becomes a new version.
All files are read before anything is recorded.
"""
