"""The app's records as files: versions of texts, assessors, assignments, events.

The records are in the folder `app` of an export, one JSONL file per kind, and an import restores
them unchanged. The records contain pseudonyms only, no personal data.
"""
