"""Errors of the solver."""
import re

_place = re.compile(r"^(--set .+?(?= \[|: |=|$)|\S[^:\n]*:\d+)", re.MULTILINE)


class InputError(ValueError):
    """What was given is wrong: deck, settings, a name. `place` is "deck.prm:17" or "--set Section/Entry", or None."""

    def __init__(self, text):
        super().__init__(text)
        found = _place.match(text)
        self.place = found[1] if found else None


class ComputationError(ArithmeticError):
    """The computation failed: not converged, not a number, an inverted cell. `time` is that of the last good state [s], or None."""

    def __init__(self, text, time=None):
        super().__init__(text)
        self.time = time
