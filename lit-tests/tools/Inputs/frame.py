"""Frames the JSON messages of a file, separated by `// -----`, as the language
server protocol does; what stands in front of the first separator is left out.
"""

import sys

with open(sys.argv[1], encoding="utf-8") as file:
    messages = file.read().split("// -----\n")[1:]
for message in messages:
    body = message.strip().encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
