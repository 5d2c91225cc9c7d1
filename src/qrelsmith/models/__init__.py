"""Language models as assessors: prompts, requests, replies, and the runner."""
