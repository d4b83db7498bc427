"""Firmware of a reference panel, made from docs/protocol/ alone.

The table's controller imports nothing of it, and it nothing of the controller. It keeps
to what MicroPython and CPython have in common; only `board` needs a real board.
"""
