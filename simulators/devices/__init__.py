"""Simulated panels and shoe on the far side of the real wire, with faults as data.

Knows drivers, never the controller.
"""
