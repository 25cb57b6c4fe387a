# Untested.
from spack.package import *


class Symdyn(CMakePackage):
    """Structural dynamics with structure-preserving time steppers, from decks (.prm, .json, .inp of CalculiX)."""

    version("main", branch="main")
    license("LGPL-2.1-or-later")
    variant("python", default=True, description="the Python package")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("llvm+lld", type="build")
    depends_on("dealii@9.4 +mpi +petsc +slepc +trilinos +sundials +p4est +metis +muparser")
    depends_on("petsc +mumps +hypre")
    depends_on("trilinos +sacado +rol +ml")
    depends_on("sundials")
    depends_on("vtk@9.1: +opengl2")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("fmt")
    depends_on("googletest", type="build")
    depends_on("py-pybind11@2.10:", type="build", when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")
    generator("ninja")

    @property
    def build_targets(self):
        return ["symdyn_program", "symdyn_completion"] + (["symdyn_python"] if "+python" in self.spec else [])
