"""Robots that play a table: players, a dealer, a supervisor.

They act on what the table shows and on the cards that lie open, never on a secret.
"""
