"""Times tools in rounds and writes the report. Standard library only."""
