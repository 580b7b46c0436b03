"""A year of two friends in ten windows, what a capable model answers to each, and what a person expects."""
