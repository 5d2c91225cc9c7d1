"""The judging app: a Django project whose state lies in the campaign's folder, or in PostgreSQL.

An event is accepted in one place (`core.accepting`), the current labels are a projection of the
events (`core.projections`), and everything else reads.
"""
