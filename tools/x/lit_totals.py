"""Prints how many lit tests passed, failed and were unsupported.

Argument: the file that lit wrote for `-o`.
"""

import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}

with open(sys.argv[1], encoding="utf-8") as results:
    codes = [test["code"] for test in json.load(results)["tests"]]
passed = sum(code in PASSED for code in codes)
skipped = sum(code in SKIPPED for code in codes)
print(passed, len(codes) - passed - skipped, skipped)
