"""The adjudication queue: assessors' labels of a doc, discussion threads, and the verdict."""
