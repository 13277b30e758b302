"""The command line: thin commands that parse options, call pure functions, and render what these return."""
