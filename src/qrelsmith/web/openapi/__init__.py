"""Schemas of requests and answers, each said once.

Requests are checked by the same objects from which the OpenAPI document is written.
"""
