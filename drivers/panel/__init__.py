"""The reference panel: messages, codec, session.

Imported by the runtime and by the simulated panel.
"""
