"""Checks that every statement of the semantics page has a test.

Arguments: the page, then the tests. A statement of the page begins with its
label, `**S12.**`; a test cites the labels of what it tests in a comment that
begins with them: `// S12: …` or `// S3, S14: …`. A statement without a test
must say so at its end, with the reason: `(Not testable: …)`.
"""

import pathlib
import re
import sys

STATEMENT = re.compile(r"^\*\*(S\d+)\.\*\*(.*?)(?=^\*\*S\d+\.\*\*|^#|\Z)", re.MULTILINE | re.DOTALL)
NOT_TESTABLE = re.compile(r"\(Not\s+testable:\s+[^)]+\)\s*\Z")
CITATION = re.compile(r"^\s*(?://[/!]?|#)\s*(S\d+(?:,\s+S\d+)*)(?=[:.]|\s*$)")


def statements(text):
    """Yields (line number, label, whether it needs a test)."""
    for found in STATEMENT.finditer(text):
        number = text.count("\n", 0, found.start()) + 1
        yield number, found[1], not NOT_TESTABLE.search(found[2])


def citations(text):
    """Yields (line number, label)."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := CITATION.match(line):
            for label in re.split(r",\s+", found[1]):
                yield number, label


def main(page, tests):
    cited, known, problems = {}, {}, []
    for test in tests:
        text = pathlib.Path(test).read_text(encoding="utf-8", errors="replace")
        for number, label in citations(text):
            cited.setdefault(label, []).append(f"{test}:{number}")
    for number, label, testable in statements(pathlib.Path(page).read_text(encoding="utf-8")):
        place = f"{page}:{number}"
        if label in known:
            problems.append(f"{place}: {label} is also the label of {known[label]}")
        known.setdefault(label, place)
        if testable and label not in cited:
            problems.append(f"{place}: no test cites {label}")
        elif not testable and label in cited:
            problems.append(f"{place}: {label} is not testable, but {cited[label][0]} tests it")
    for label, places in cited.items():
        if label not in known:
            problems += [f"{place}: there is no statement {label} in {page}" for place in places]
    if not known:
        problems.append(f"{page}: there are no statements to check")
    if problems:
        print("\n".join(problems))
        return 1
    print(f"remark: {len(known)} statements")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
