"""Sets peers up, runs them side by side, and keeps what was measured."""
