"""One round as a file: what happened, and the proof, for who does not trust us.

The format is docs/evidence.md, with a program that checks it and shares no code with
this one.
"""
