"""Seeded whole tables on virtual time, watched by every checker.

One seed reproduces a run to the byte: nothing here reads a clock, and all chance
comes from one generator.
"""
