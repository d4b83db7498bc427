"""Shoes that print a line for each card, and hear nothing.

Each make prints its own words; a profile holds them as data. Source:
docs/protocol/line-shoe.md.
"""
