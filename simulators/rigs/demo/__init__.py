"""Robot players and a robot dealer at a whole simulated table, to be watched."""
