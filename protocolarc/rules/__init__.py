"""Rules: one file each, its metadata beside it. They yield; they never print, raise for content, or sort."""
