"""The devices of a table alone, worked by a person from a terminal."""
