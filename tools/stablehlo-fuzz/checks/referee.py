"""Checks programs: comb's modes against the reference, or only against each other."""

import multiprocessing

from . import compiled
from .comparison import describe, differs

# The interpreter may take so long for a program.
SECONDS = 15


class Reference:
    """The process that knows what is right; another one when it has ended at a fault."""

    def __init__(self):
        self.process = None

    def answers(self, program):
        """What the values of all ops are; none, and a reason, if it does not say."""
        answers = self.ask("answers", program)
        return (None, answers) if isinstance(answers, str) else (answers, None)

    def forms(self, program):
        """The program in other forms, by mode."""
        forms = self.ask("forms", program)
        return forms if isinstance(forms, dict) else {}

    def ask(self, what, program):
        """What the process says, or why it does not."""
        if self.process is None:
            self.start()
        try:
            self.connection.send((what, program))
            if not self.connection.poll(SECONDS):
                raise EOFError
            return self.connection.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self.stop()
            return "the interpreter ended"

    def start(self):
        """Starts the process."""
        from .reference import serve  # noqa: PLC0415 - needs JAX

        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=serve, args=[other], daemon=True)
        self.process.start()
        other.close()

    def stop(self):
        """Ends it."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.connection.close()
            self.process = None


def check(comb, program, answers, folder, modes, forms=None):
    """What is wrong with a program: (mode, reason), or nothing. Without answers, the first mode
    says what is right."""
    forms = forms or {}
    compiled.write(program, folder, forms)
    absent = set(compiled.FILES) - set(forms)
    modes = {mode: words for mode, words in modes.items() if mode not in absent}
    expected = None if answers is None else of_outputs(program, answers)
    for mode, words in modes.items():
        try:
            results = compiled.run(comb, program, folder, mode, words)
        except compiled.Failed as failure:
            return mode, str(failure)
        if expected is None:
            exact = [value.exact for value in program.outputs]
            expected = [
                (array, 0.0, 0.0) if is_exact else None for array, is_exact in zip(results, exact)
            ]
            continue
        wrong = compare(program, results, expected)
        if wrong:
            return mode, wrong
    return None


def of_outputs(program, answers):
    """What is expected of each output, as an array and how far off it may be; none if anything
    may be right."""
    expected = {
        id(value): (array, 0.0, 0.0) for value, array in zip(program.inputs, program.arrays)
    }
    values = [value for op in program.ops for value in op.results]
    for value, answer in zip(values, answers):
        right = (answer.array, answer.relative, answer.absolute)
        expected[id(value)] = right if answer.known else None
    return [expected[id(value)] for value in program.outputs]


def compare(program, results, expected):
    """The first difference, if there is one."""
    for index, (value, array, right) in enumerate(zip(program.outputs, results, expected)):
        if right is None:
            continue
        element = value.type.element
        rest = right[1:] if not value.exact else (0.0, 0.0)
        where = differs(array, right[0], element, *rest)
        if where.any():
            name = compiled.names(len(results))[index]
            return describe(name, array, right[0], element, where)
    return None
