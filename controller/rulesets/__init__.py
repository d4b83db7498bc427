"""The rulesets we ship, as TOML; data only, read by `controller.core.rules`'s callers.
"""
