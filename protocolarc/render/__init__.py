"""Renderers: results become text, piece by piece where a report streams. They write nothing themselves."""
