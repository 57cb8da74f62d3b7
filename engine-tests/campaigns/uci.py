"""A UCI engine as a child process, for the scripts in `campaigns` and `platforms`."""

import queue
import re
import subprocess
import threading


class Silence(Exception):
    """The engine ended, or did not answer in time."""


class Engine:
    """A UCI engine with options. `program` is a path, or a command as a list of words."""

    def __init__(self, program, options=()):
        words = program if isinstance(program, list) else [program]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        for name, value in options:
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, text):
        """Sends one or more lines of UCI."""
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def until(self, word, patience=60):
        """Returns all lines up to the first line that begins with `word`, a regular expression."""
        lines = []
        while not lines or not re.match(word, lines[-1]):
            try:
                line = self.lines.get(timeout=patience)
            except queue.Empty:
                line = None
            if line is None:
                raise Silence(f"no '{word}' after {lines[-5:]}")
            lines.append(line)
        return lines

    def ready(self):
        """Waits until the engine has executed all commands."""
        self.send("isready")
        self.until("readyok")

    def quit(self):
        """Ends the engine and returns its exit status."""
        self.send("quit")
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Silence("the engine does not end after 'quit'") from None
