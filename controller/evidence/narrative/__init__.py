"""What happened at the table, told in the words of a pit supervisor.

One module a part of the game; `telling` finds the sentence of a record.
"""
