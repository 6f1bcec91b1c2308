"""lit's shell tests, in a clone whose path holds blanks.

lit puts file names into RUN lines as they are. Here they are quoted where the
shell needs it, and nowhere else.
"""

import os
import shlex

import lit.formats
import lit.TestRunner


class ShTest(lit.formats.ShTest):
    """Tests whose %s, %S, %t and %T are single words."""

    def execute(self, test, lit_config):
        source = test.getSourcePath()
        folder, base = lit.TestRunner.getTempPaths(test)
        names = {"s": source, "S": os.path.dirname(source), "t": base + ".tmp", "T": folder}
        return lit.TestRunner.executeShTest(
            test,
            lit_config,
            self.execute_external,
            [(rf"%{name}\b", shlex.quote(path)) for name, path in names.items()],
        )
