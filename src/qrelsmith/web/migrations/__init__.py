"""Migrations of the database schema, step by step; released steps never change."""
