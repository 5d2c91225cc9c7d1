"""Accounts: roles, invites, logging in, sessions."""
