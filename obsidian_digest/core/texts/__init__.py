"""What texts say: words, phrases, the terms of the field, and how alike two papers are."""
