"""Settings of decks, from Python values."""
import os

from ._errors import InputError
from ._load import core
from ._loads import Load
from ._scheme import registered


def text_of(value):
    """As a deck has it: 0.01, yes, "1, 2, 3"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return ", ".join(text_of(one) for one in value)
    return repr(value)


def prepared(deck, settings, loads, scheme):
    """The file of the deck and its settings, with those that loads and a scheme need."""
    if settings is not None and not hasattr(settings, "items"):
        raise InputError(f"settings are a dictionary of entries and values, not {type(settings).__name__}")
    loads = [loads] if isinstance(loads, Load) else list(loads)
    for load in loads:
        if not isinstance(load, Load):
            raise InputError(f"loads: {load!r} is no load: decorate the function with surface_load(name, boundary) or body_force(name)")
    lines = [f"{name}={text_of(value)}" for name, value in (settings or {}).items()]
    names = [load.name for load in loads]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two loads have the name '{name}'")
    for load in loads:
        core().set_function(load.name, load.function)
        lines += load.settings()
    if scheme is not None:
        lines.append("Integrator/Scheme=" + registered(scheme))
    return os.fspath(deck), lines
