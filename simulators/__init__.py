"""Simulated hardware and the rigs that play on it; the product runs without this.

Nothing imports it.
"""
