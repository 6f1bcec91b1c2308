"""What programs give: by the specification, and by comb."""
