"""Do the commands of the manual exist: programs, subcommands, options, entries of --set, files?"""
import os
import re

from .code import Parameters, programs
from .pages import root

built = "build/release/"
wrappers = {"xvfb-run": 0, "mpirun": 0, "timeout": 1}  # words between their options and the command that they start


class Program:
    """symdyn as it is: its subcommands with their options, and its entries."""

    def __init__(self, run):
        self.run = run
        self.help = {"": run("--help")}
        for name in re.findall(r"^  (\w+)  +", self.help[""].split("Subcommands:")[1], re.MULTILINE):
            self.help[name] = run(name, "--help")
        self.parameters = Parameters(run("parameters", "--json"))

    def options(self, subcommand):
        return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", self.help[subcommand]))

    def faults(self, words):
        """Of a command line behind `symdyn`."""
        own = words[:words.index("--")] if "--" in words else words
        if not own or own[0].startswith("-"):
            return [f"symdyn has no option {w}" for w in own if w.startswith("-") and w not in self.options("")]
        if own[0] not in self.help:
            return [f"symdyn has no subcommand '{own[0]}'; it has {', '.join(sorted(filter(None, self.help)))}"]
        found = [f"symdyn {own[0]} has no option {w}" for w in own if w.startswith("-") and w.split("=")[0] not in self.options(own[0])]
        for n, word in enumerate(own):
            setting = own[n + 1] if word == "--set" and n + 1 < len(own) else word[6:] if word.startswith("--set=") else ""
            if setting:
                found += self.setting_faults(setting)
        return found + [f"there is no file {w}" for w in own if w.startswith("decks/") and not os.path.exists(os.path.join(root, w))]

    def setting_faults(self, setting):
        path, equals, value = setting.partition("=")
        *section, name = path.split("/")
        if not equals:
            return [f"--set {setting} has no value"]
        rule = self.parameters.rule(tuple(section), name)
        return [] if rule is not None else [f"--set {path}: there is no such entry"]


def unwrapped(words):
    """The command that xvfb-run, mpirun or timeout start, without assignments before it."""
    while words and ("=" in words[0] and "/" not in words[0].split("=")[0] or words[0] in wrappers):
        if words[0] not in wrappers:
            words = words[1:]
            continue
        rest = words[1:]
        while rest and rest[0].startswith("-"):
            rest = rest[2:] if rest[0] in ("-n", "-np", "-s") else rest[1:]
        words = rest[wrappers[words[0]]:]
    return words


def script_faults(words):
    """Of a program of this project that is not symdyn: it exists, and knows its options."""
    name = words[0][2:] if words[0].startswith("./") else words[0]
    source = name
    if name.startswith(built):
        source = name[len(built):] + ".cc"
        if name.startswith(built + "tests/"):
            return []
        if not os.path.exists(os.path.join(root, source)):
            source = source.replace("explicit_steps", "explicit")
    file = os.path.join(root, source)
    if not os.path.isfile(file):
        return [f"there is no {name}"]
    with open(file, encoding="utf-8") as text:
        known = text.read()
    options = [re.sub(r"[\]\[]", "", w).split("=")[0] for w in words[1:]]
    return [f"{name} has no option {w}" for w in options if w.startswith("--") and w not in known]


def faults(words, program):
    """What is wrong with a command, given as its words."""
    words = unwrapped([w for w in words if w])
    if not words or words[0] == "[":
        return []
    first = words[0]
    if first == "symdyn" or first.endswith("/symdyn"):
        return program.faults(words[1:])
    if first == "symdyn-ccx" or first.endswith("/symdyn-ccx"):
        return [f"symdyn-ccx has no option {w}" for w in words[1:] if w.startswith("-") and w not in ("-i", "-v", "-h", "--version", "--help")]
    if first in ("paraview", "pvpython", "pvbatch", "python3"):
        scripts = [w.split("=")[-1] for w in words[1:] if w.endswith(".py")]
        return [f"there is no file {s}" for s in scripts if not os.path.exists(os.path.join(root, s))]
    if first in programs:
        return []
    if "/" in first:
        return script_faults(words)
    return [f"'{first}' is not a command that the manual may use without saying where it comes from (docs/manual/code.py)"]
