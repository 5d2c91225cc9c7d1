"""What requests and answers look like, said once.

Requests are checked by the same objects from which the OpenAPI document is written.
"""
