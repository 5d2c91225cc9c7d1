"""The app's records as files: versions of texts, assessors, assignments, events.

They lie in the folder `app` of an export, a JSONL file for each kind, and come in again as they
went out. Persons do not occur in them, only pseudonyms.
"""
