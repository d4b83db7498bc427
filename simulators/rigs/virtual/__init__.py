"""Whole tables on virtual time: the real desk, planner and sessions, simulated devices.

No event loop and no sleeping: one clock jumps to whatever is due next. Rigs and tests
may import it.
"""
