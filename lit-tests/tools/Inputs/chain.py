"""Writes a graph for comb solve: so many nodes, each of which reads the one before it."""

import json
import sys

count = int(sys.argv[1])
nodes = [{"id": 0, "kind": "input"}] + [{"id": node, "kind": "map"} for node in range(1, count)]
edges = [
    {"from": node, "to": node + 1, "role": "element", "fusible": node > 0} for node in range(count - 1)
]
json.dump({"nodes": nodes, "edges": edges, "results": [count - 1]}, sys.stdout)
