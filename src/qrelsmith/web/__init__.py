"""The judging app: a Django project with its state in the campaign folder or in PostgreSQL.

Events are accepted in one place (`judging.accepting`). Current labels are a projection of the
events (`judging.projections`). All other modules only read events and labels.
"""
