"""Preference judging: selection of pairs, their assignment to assessors, and the answers."""
