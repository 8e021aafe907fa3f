"""The only door to the reader's notes: reads them as bytes, writes a plan atomically, undoes it."""

from obsidian_digest.edge.vault.folder import VaultFolder
from obsidian_digest.edge.vault.journal import PastRun
from obsidian_digest.edge.vault.state import STATE

__all__ = ["STATE", "PastRun", "VaultFolder"]
