"""What each note should say."""
