"""Git: the only room that spells its commands."""
