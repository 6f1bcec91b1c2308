"""Random programs of StableHLO: well-typed by construction, decided by a number."""
