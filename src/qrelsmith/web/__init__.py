"""The judging app: a Django project whose state lies in the campaign's folder, or in PostgreSQL.

An event is accepted in one place (`judging.accepting`), current labels are a projection of the
events (`judging.projections`), and everything else reads.
"""
