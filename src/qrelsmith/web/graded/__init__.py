"""Grades of docs: what is assigned, the page, and the one place where a grade is accepted."""
