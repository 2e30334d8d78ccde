"""Entry point of `mahc`: finds the command, loads its file alone, turns mistakes into one sentence."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from mahc._version import __version__

if TYPE_CHECKING:
    from cyclopts import App

# name -> module that holds `command`, a function or an App, and a line for the list of commands;
# a new command is one entry here and one file.
COMMANDS = {
    "learn": ("mahc.cli.commands.learn", "Learn a graph from data and show it."),
    "bootstrap": ("mahc.cli.commands.bootstrap", "Learn from resamples of the data: how sure is each arc?"),
    "posterior": ("mahc.cli.commands.posterior", "Draw graphs by their probability: how probable is each arc?"),
    "panel": ("mahc.cli.commands.panel", "Learn a network of time slices from subjects seen several times."),
    "consensus": ("mahc.cli.commands.consensus", "Make one graph of what several algorithms find."),
    "average": ("mahc.cli.commands.average", "Make one graph of many graph files."),
    "explain": ("mahc.cli.commands.explain", "Say why an arc is in a learned graph or not."),
    "report": ("mahc.cli.commands.report", "Write one HTML file that shows a result and works offline."),
    "ui": ("mahc.cli.commands.ui", "Open the page in the browser: learn, explain, compare, report."),
    "mcp": ("mahc.cli.commands.mcp", "Serve an assistant: the commands as tools, on the files of one folder."),
    "replay": ("mahc.cli.commands.replay", "Learn again with the settings of a saved result, and compare."),
    "audit": ("mahc.cli.commands.audit", "Say what is in a data file, and whether it can be used."),
    "validate": ("mahc.cli.commands.validate", "Compare algorithms, scores and settings on held-out rows."),
    "check": ("mahc.cli.commands.check", "Test on data the independences and edges of a graph."),
    "compare": ("mahc.cli.commands.compare", "Compare a learned graph with the true one."),
    "fit": ("mahc.cli.commands.fit", "Fit the probability tables of a graph, and write the network."),
    "query": ("mahc.cli.commands.query", "Ask a network for probabilities, given observations or interventions."),
    "ask": ("mahc.cli.commands.ask", "List the questions whose answers would tell most about the graph."),
    "effect": ("mahc.cli.commands.effect", "Show what setting one variable does to another."),
    "adjust": ("mahc.cli.commands.adjust", "List the variables to hold fixed, so that data show an effect."),
    "predict": ("mahc.cli.commands.predict", "Predict one variable in each row of a table."),
    "sample": ("mahc.cli.commands.sample", "Draw data from a network."),
    "networks": ("mahc.cli.commands.networks", "List the networks that can be sampled, and their sizes."),
    "score": ("mahc.cli.commands.score", "Score a graph on data."),
    "experiment": ("mahc.cli.commands.experiment", "Run a plan of experiments, and report what it found."),
}
DEBUG = "--debug"
JSON = "--json"
DEBUG_HELP = f"{DEBUG} with any command shows where in the code an unexpected error happened."
USER_MISTAKE, BUG, INTERRUPTED = 2, 70, 130


class Termination:
    """What the signals SIGTERM and SIGHUP do: they end a command as Ctrl-C does, with an exit code of their own.

    `Control.catching_interrupts` knows it by `ends_runs`: a run that can keep the best so far does so.
    """

    ends_runs = True

    def __init__(self) -> None:
        self.received: int | None = None
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup has it ignored
                signal.signal(number, self)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Note the signal, and interrupt what is being done."""
        self.received = self.received or number
        handler = signal.getsignal(signal.SIGTERM)
        if callable(handler) and handler is not self:  # that of a server or of a run: it ends these in order
            handler(signal.SIGTERM, frame)
        else:
            raise KeyboardInterrupt

    def exit_code(self, code: int) -> int:
        """The exit code of a command that ended with this one."""
        return code if self.received is None else 128 + self.received


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run one command and exit.

    The exit code is 0 if it is done, 2 for a mistake of the user (one sentence on stderr), 70 for a bug in mahc (one
    sentence; with --debug also where it happened), 130 if it was interrupted, 143 if it was terminated (129: hung up).
    """
    words = sys.argv[1:] if arguments is None else arguments
    if words in (["--version"], ["-V"]):  # answered before anything heavy is imported
        print(f"mahc {__version__}")
        sys.exit(0)
    termination = Termination() if arguments is None else None  # a caller that gives arguments has its own signals
    try:
        code = _dispatch([word for word in words if word != DEBUG])
    except GeneratorExit:
        raise
    except SystemExit:
        if termination is None or termination.received is None:
            raise
        code = INTERRUPTED
    except BaseException as problem:  # polars' PanicException is not an Exception
        code = _conclude(problem, words)
    if termination is None:
        sys.exit(code)
    _end(termination.exit_code(code))


def _end(code: int) -> NoReturn:
    """Exit with this code.

    Where an interrupt passed through code that C has run, Python would kill itself by SIGINT in the end instead.
    """
    if code <= 128:
        sys.exit(code)
    import atexit
    import os

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def make_app() -> App:
    """All commands; the file of each is loaded when it is called."""
    from cyclopts import App, Group, Parameter

    app = App(
        name="mahc",
        help=f"Learn the structure of Bayesian networks from data.\n\n{DEBUG_HELP}",
        version=__version__,
        help_format="plaintext",
        default_parameter=Parameter(negative_iterable=()),
        group_parameters=Group("Options", sort_key=9),
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for place, (name, (module, line)) in enumerate(COMMANDS.items()):
        app.command(f"{module}:command", name=name, help=line, sort_key=place)
    return app


def _dispatch(words: list[str]) -> int:
    from cyclopts.exceptions import CycloptsError

    from mahc.cli.printing import forget_json
    from mahc.cli.usage import name_stdin
    from mahc.errors import MahcError

    forget_json()
    try:
        result = make_app()(name_stdin(words), exit_on_error=False, print_error=False)
    except MahcError as mistake:
        from mahc.cli.spelling import CommandLineSpelling

        setting = getattr(mistake, "setting", None)
        return _refuse(mistake.render(CommandLineSpelling()), words, type(mistake).__name__, setting)
    except CycloptsError as mistake:
        from mahc.cli.usage import usage_sentence

        return _refuse(usage_sentence(mistake, words), words, "UsageError")
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return result if isinstance(result, int) else 0


def _refuse(sentence: str, words: list[str], kind: str, setting: str | None = None, code: int = USER_MISTAKE) -> int:
    """One sentence on stderr; with --json also one JSON object on stdout. Returns the exit code."""
    from mahc.cli.printing import say_json_error, tell

    if JSON in words:
        say_json_error(kind, " ".join(sentence.split()), code, setting)
    tell(sentence)
    return code


def _conclude(problem: BaseException, words: list[str]) -> int:
    """What is said of an exception that no command expected, and the exit code."""
    debug = DEBUG in words
    if _was_interrupted(problem):
        return _end_interrupted(words)
    from mahc.cli.printing import tell_traceback
    from mahc.files.addresses import hide_secrets

    if debug:
        tell_traceback(problem)
    if isinstance(problem, OSError) and problem.strerror:
        where = f" ({problem.filename})" if problem.filename else ""
        return _refuse(f"the system refused a file, a process or memory: {problem.strerror}{where}", words, "OSError")
    if isinstance(problem, MemoryError):
        return _refuse(
            "the memory of this machine does not suffice: use fewer variables, rows or threads", words, "MemoryError"
        )
    more = "" if debug else f", and what the same command prints with {DEBUG}"
    sentence = (
        f"this is a bug in mahc {__version__}, report it with the command and its files{more}: "
        f"{type(problem).__name__}: {hide_secrets(str(problem))}"
    )
    return _refuse(sentence, words, type(problem).__name__, code=BUG)


def _end_interrupted(words: list[str]) -> int:
    sentence = "interrupted, nothing was written"
    # An import may be what was interrupted, so nothing is imported here that is not there already.
    printing = sys.modules.get("mahc.cli.printing")
    if JSON in words and printing is not None and hasattr(printing, "say_json_error"):
        printing.say_json_error("KeyboardInterrupt", sentence, INTERRUPTED)
    elif JSON in words:
        error = f'"kind": "KeyboardInterrupt", "message": "{sentence}", "setting": null, "exit_code": {INTERRUPTED}'
        print(f'{{"format_version": 1, "error": {{{error}}}}}')
    print(f"mahc: {sentence}", file=sys.stderr)
    return INTERRUPTED


def _was_interrupted(problem: BaseException | None) -> bool:
    # Ctrl-C while a compiled module is imported arrives as an ImportError that a KeyboardInterrupt caused.
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__cause__ or problem.__context__
    return False
