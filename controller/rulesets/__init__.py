"""The rulesets we ship, as TOML.

Data only, read by the callers of `controller.core.rules`.
"""
