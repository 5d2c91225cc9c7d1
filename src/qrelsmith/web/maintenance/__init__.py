"""Maintenance of the app: backup, restore, and removal of personal data."""
