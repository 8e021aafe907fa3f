"""What may be written: every change of a note, before any is made."""
