"""What plays a table: scenario runner, robots, soak, demo.

May import the controller.
"""
