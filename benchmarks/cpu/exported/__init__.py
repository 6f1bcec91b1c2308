"""Functions of JAX, exported and compiled by comb, against JAX's own compiler."""
