"""Whom comb is measured against, and comb: one module for each; see interface.py."""
