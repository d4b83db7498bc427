"""A small table explored exhaustively: whatever can happen there, does.

Who may import it: tests, and commands above the rigs.
"""
