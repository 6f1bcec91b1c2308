"""Checks that every relative link in Markdown pages leads somewhere.

Arguments: the pages. A link's path must exist beside its page; its anchor must
be a heading (by GitHub's and mdBook's rule) or an HTML id of the page it names.
Links to other sites are not followed.
"""

import pathlib
import re
import sys
import urllib.parse

FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"(`+)(?:(?!\1).)+\1")
INLINE_LINK = re.compile(r"\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+[\"'(][^)]*)?\s*\)")
REFERENCE_LINK = re.compile(r"^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)")
HTML_LINK = re.compile(r"<(?:a|img)\s[^>]*(?:href|src)=[\"']([^\"']+)[\"']")
HTML_ID = re.compile(r"<[a-z]+\s[^>]*(?:id|name)=[\"']([^\"']+)[\"']")
HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
HEADING_ID = re.compile(r"\s*\{#([^}\s]+)\}\s*$")
SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:|^//")


def prose_lines(text):
    """Yields (number, line) of the lines outside fenced code."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1] == fence:
            fence = None
        elif fence is None:
            yield number, line


def slug(heading):
    """The anchor of a heading's text."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


def anchors(text):
    """Every anchor a page offers."""
    found = set()
    for _, line in prose_lines(text):
        found.update(HTML_ID.findall(line))
        heading = HEADING.match(line)
        if not heading:
            continue
        named = HEADING_ID.search(heading[1])
        name = named[1] if named else slug(heading[1])
        count = 0
        unique = name
        while unique in found:
            count += 1
            unique = f"{name}-{count}"
        found.add(unique)
    return found


def links(text):
    """Yields (line number, target) of every link."""
    for number, line in prose_lines(text):
        line = CODE.sub("", line)
        for pattern in (INLINE_LINK, REFERENCE_LINK, HTML_LINK):
            for target in pattern.findall(line):
                yield number, target


def problem(page, target):
    """What is wrong with a link, or None."""
    path, _, anchor = target.partition("#")
    path = urllib.parse.unquote(path)
    if path.startswith("/"):
        return "is absolute: use a relative path"
    destination = page.parent / path if path else page
    if not destination.exists():
        return "does not exist"
    if not anchor or destination.suffix != ".md":
        return None
    if urllib.parse.unquote(anchor) not in anchors(destination.read_text(encoding="utf-8")):
        return f"has no heading '#{anchor}'"
    return None


def main():
    count = 0
    failed = False
    for name in sys.argv[1:]:
        page = pathlib.Path(name)
        for number, target in links(page.read_text(encoding="utf-8")):
            if not target or SCHEME.match(target):
                continue
            count += 1
            wrong = problem(page, target)
            if wrong:
                print(f"{name}:{number}: '{target}' {wrong}")
                failed = True
    print(f"remark: {count} links")
    sys.exit(1 if failed else 0)


main()
