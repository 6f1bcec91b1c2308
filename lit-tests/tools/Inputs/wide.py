"""Writes a program: so many maps, each of which reads so many parameters."""

import sys

maps, count = int(sys.argv[1]), int(sys.argv[2])
parameters = ", ".join(f"%x{number}: tensor<?xf32>" for number in range(count))
arrays = ", ".join(f"%x{number}" for number in range(count))
types = ", ".join(["tensor<?xf32>"] * count)
elements = ", ".join(f"%e{number}: f32" for number in range(count))
result_types = ", ".join(["tensor<?xf32>"] * maps)
results = ", ".join(f"%y{number}" for number in range(maps))
print(f"func.func @wide({parameters}) -> ({result_types}) {{")
for number in range(maps):
    print(f"  %y{number} = soac.map {arrays} : ({types}) -> tensor<?xf32> ({elements}) {{")
    print(f"    soac.yield %e{number} : f32")
    print("  }")
print(f"  return {results} : {result_types}")
print("}")
