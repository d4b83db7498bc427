"""The game as pure functions: commands in, events out, no clock and no I/O.

Everything in the controller may import it; it imports nothing of the project.
"""
