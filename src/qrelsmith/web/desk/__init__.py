"""The desk: labels that assessors gave a doc, the threads about it, and the verdict."""
