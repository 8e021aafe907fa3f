"""A week put together: its note, its canvas, and the turn of the themes."""
