"""obsidian-digest: the day's arXiv papers, ranked, grouped and linked into an Obsidian vault."""

__version__ = "0.1.0"
