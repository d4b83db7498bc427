"""Scenarios: a round as a script, read into values and held against a table.

`language` reads a file, `view` is what of a table an expectation can see, `evaluate`
says whether one holds, `trace` writes a table as one line. Nothing here plays.
"""
