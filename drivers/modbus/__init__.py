"""Bought modules with eight inputs and eight outputs on one bus, one seat a module.

They speak Modbus RTU and know nothing of prompts: the host judges by time what was lit
when a button was pressed. Source: docs/protocol/modbus-panels.md.
"""
