"""Buttons, lamps and a few other lines that are wired to the pins of the computer.

Only this package imports gpiozero. The runtime may import it. Source: docs/gpio.md.
"""
