"""The law of a note: its header, its sealed regions, its text and its name."""
