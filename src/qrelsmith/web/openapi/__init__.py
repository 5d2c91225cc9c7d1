"""Schemas of requests and responses, each declared once.

The same objects check requests and generate the OpenAPI document.
"""
