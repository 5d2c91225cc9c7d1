"""Answers that systems give to topics: their texts, what they are judged for, and their labels."""
