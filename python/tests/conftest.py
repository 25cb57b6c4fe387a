"""Decks and programs of the tests."""
import os
import subprocess
import sys

import pytest

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

beam = """subsection Mesh
  set Type = beam
  set Subdivisions = 4, 1, 1
end
subsection Materials
  subsection rubber
    set Type = neo-hooke-log
    set E = 1e7
    set nu = 0.3
    set Density = 1000
  end
end
subsection Supports
  subsection clamp
    set Boundary = root
    set Type = fixed
  end
end
subsection Loads
  subsection push
    set Type = traction
    set Boundary = tip
    set Traction = 0, -2e4, 0
  end
end
subsection Probes
  subsection tip
    set Point = 10, 0, 0
  end
end
subsection Time
  set Time step = 0.02
  set End time = 0.2
end
subsection Integrator
  set Scheme = newmark
end
"""

pendulum = """set Structure = discrete
subsection Points
  set Dimension = 2
  subsection one
    set Mass = 1
    set Position = 1, 0
    set Velocity = 0, 0.5
  end
  subsection two
    set Mass = 2
    set Position = 2, 0.5
    set Velocity = -0.2, 0.1
  end
end
subsection Springs
  subsection bar
    set From = one
    set To = two
    set Stiffness = 20
  end
  subsection held
    set From = one
    set To = ground
    set Anchor = 0, 0
    set Stiffness = 30
  end
end
subsection Time
  set Time step = 0.01
  set End time = 0.2
end
subsection Integrator
  set Scheme = newmark
end
"""

oscillator = """set Structure = discrete
subsection Points
  subsection mass
    set Mass = 2
    set Position = 1, 0, 0
    set Velocity = 1, 0.5, 0
  end
end
subsection Springs
  subsection spring
    set From = mass
    set To = ground
    set Anchor = 0, 0, 0
    set Stiffness = 8
  end
end
"""


@pytest.fixture
def deck(tmp_path):
    """Writes a deck and returns its file."""
    def write(text=beam, name="beam.prm"):
        file = tmp_path / name
        file.write_text(text)
        return str(file)
    return write


@pytest.fixture(scope="session")
def binary():
    import symdyn
    program = os.environ.get("SYMDYN_BINARY", os.path.join(root, "build/release/symdyn"))
    assert os.access(program, os.X_OK), f"there is no program {program}: build it, or set SYMDYN_BINARY"
    assert symdyn.__version__ in subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    return program


def script(text, folder, ranks=1, timeout=120):
    """Runs a script in a process of its own, or on ranks. A list of scripts: one for each rank."""
    texts = [text] if isinstance(text, str) else text
    each = str(ranks if len(texts) == 1 else 1)
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe"] if ranks > 1 else []
    for number, one in enumerate(texts):
        file = os.path.join(folder, f"script-{number}.py")
        with open(file, "w", encoding="utf-8") as out:
            out.write(one)
        command += ([":"] if number else []) + (["-n", each] if ranks > 1 else []) + [sys.executable, file]
    inherited = ("OMPI_COMM", "OMPI_UNIVERSE", "PMIX", "ORTE")  # of the MPI of this process
    environment = {name: value for name, value in os.environ.items() if not name.startswith(inherited)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
