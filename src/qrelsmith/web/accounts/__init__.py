"""Accounts: roles, invites, login, sessions."""
