"""The views: each says who may call it, reads its parameters strictly, and answers."""
