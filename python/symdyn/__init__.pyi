from os import PathLike
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]
Path = str | PathLike[str]

class InputError(ValueError):
    place: str | None

class ComputationError(ArithmeticError):
    time: float | None

class History(Mapping[str, NDArray[Any]]):
    file: str
    units: dict[str, str]
    rows: int
    def __init__(self, file: str) -> None: ...
    def to_pandas(self) -> Any: ...

class Field:
    name: str
    values: NDArray[Any]
    points: Numbers
    of_cells: bool

class Result:
    folder: str
    history: History
    summary: dict[str, Any]
    certificate: Any | None
    modes: dict[str, History]
    harmonic: dict[str, History]
    frames: Numbers
    def __init__(self, folder: Path) -> None: ...
    def field(self, name: str, time: float | None = ...) -> Field: ...
    def grid(self, time: float | None = ...) -> Any: ...
    def plot(self, *columns: str) -> Any: ...

class Load:
    name: str
    def __call__(self, t: float, X: Numbers, u: Numbers, v: Numbers) -> ArrayLike: ...

class Integrator:
    order: int
    symplectic: bool
    linear_momentum: bool
    angular_momentum: bool
    energy_bounded: bool
    reversible: bool
    stable_h_omega: float
    def step(self, sys: Any, x: Any, h: float) -> tuple[Numbers, Numbers, Numbers]: ...

class Step:
    t: float
    n: int
    stage: str

class Model:
    folder: str | None
    warnings: list[str]
    dimension: int
    positions: Numbers
    t: float
    displacement: Numbers
    velocity: Numbers
    acceleration: Numbers
    def __init__(self, deck: Path, settings: Mapping[str, Any] | None = ..., *, loads: Sequence[Load] = ..., scheme: str | type[Integrator] | None = ...,
                 verbose: bool = ...) -> None: ...
    def __enter__(self) -> Model: ...
    def __exit__(self, *_: Any) -> None: ...
    def close(self) -> None: ...
    def summary(self) -> str: ...
    def check(self) -> list[str]: ...
    def nodes(self, name: str) -> NDArray[np.int64]: ...
    def field(self, name: str) -> Field: ...
    def borrowed(self) -> Any: ...
    def add_nodal_force(self, name: str, nodes: ArrayLike) -> Numbers: ...
    def steps(self, output: Path | None = ..., overwrite: bool = ...) -> Iterator[Step]: ...
    def run(self, output: Path | None = ..., overwrite: bool = ...) -> Result | None: ...
    def reset(self) -> None: ...

class Verification:
    ok: bool
    folder: str
    findings: list[dict[str, Any]]
    controls: list[dict[str, Any]]
    broken: list[dict[str, Any]]
    def __bool__(self) -> bool: ...

class Expression:
    text: str
    def __init__(self, text: str, variables: Iterable[str] = ...) -> None: ...
    def __call__(self, *values: ArrayLike, **named: ArrayLike) -> Any: ...

def run(deck: Path, settings: Mapping[str, Any] | None = ..., output: Path | None = ..., *, loads: Sequence[Load] = ...,
        scheme: str | type[Integrator] | None = ..., overwrite: bool = ..., verbose: bool = ...) -> Result: ...
def surface_load(name: str, boundary: str | Sequence[str]) -> Callable[[Callable[..., ArrayLike]], Load]: ...
def body_force(name: str) -> Callable[[Callable[..., ArrayLike]], Load]: ...
def verify(deck: Path, scheme: str | type[Integrator] | None = ..., settings: Mapping[str, Any] | None = ..., *, steps: int = ..., report: Path | None = ...,
           overwrite: bool = ..., verbose: bool = ...) -> Verification: ...
def schemes() -> list[str]: ...
def parameters() -> list[dict[str, str]]: ...
def rank() -> int: ...
def ranks() -> int: ...
