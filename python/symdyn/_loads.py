"""Loads that Python functions compute."""
import re

from ._errors import InputError


class Load:
    """A load of a name, still a function. Handed over as an element of `loads` of run() and Model()."""

    def __init__(self, name, function, kind, boundary=None):
        if not re.fullmatch(r"[\w .+-]+", str(name)):
            raise InputError(f"a load cannot have the name {name!r}: letters, digits, spaces and . + - _ are allowed")
        if not callable(function):
            raise InputError(f"the load '{name}' is not a function of t, X, u, v")
        self.name, self.function, self.kind, self.boundary = name, function, kind, boundary

    def __call__(self, t, X, u, v):
        return self.function(t, X, u, v)

    def __repr__(self):
        return f"<{self.kind} '{self.name}'>"

    def settings(self):
        lines = [f"Loads/{self.name}/Type={self.kind}", f"Loads/{self.name}/Function={self.name}"]
        if self.boundary is not None:
            boundaries = [self.boundary] if isinstance(self.boundary, str) else self.boundary
            lines.append(f"Loads/{self.name}/Boundary={', '.join(boundaries)}")
        return lines


def surface_load(name, boundary):
    """Makes of a function of t, X, u, v a force per reference area [Pa] on boundaries of a solid. X, u and v are arrays of points x dim; the
    function returns such an array, or one row for all points. It is asked in each evaluation of forces, with the u and v of that moment."""
    return lambda function: Load(name, function, "python-traction", boundary)


def body_force(name):
    """Makes of a function of t, X, u, v a force per mass [m/s^2] in a whole solid: see surface_load()."""
    return lambda function: Load(name, function, "python-body-force")
