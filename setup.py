"""pip install --no-build-isolation .

Builds the release preset in build/release (SYMDYN_BUILD names another folder), or what of it is not up to date, and installs the Python
package, the library and the programs symdyn and symdyn-render below the prefix of this Python."""
import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Distribution, setup

root = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(os.environ.get("SYMDYN_BUILD", os.path.join(root, "build/release")))
stage = os.path.join(root, "build/pip")


class Compiled(Distribution):
    """A package for one platform."""

    def has_ext_modules(self):
        return True


def version():
    with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(symdyn VERSION ([0-9.]+)", file.read())[1]


def run(*words):
    print(*words, flush=True)
    subprocess.run(words, check=True, cwd=root)


def only(pattern, why):
    """The path below the stage that a pattern finds; relative to the root, as setuptools wants it."""
    found = glob.glob(os.path.join(stage, pattern))
    if len(found) != 1:
        sys.exit(f"setup.py: {pattern} is not among the installed files. {why}")
    return os.path.relpath(found[0], root)


def built():
    """Package folder, and files by their folders below the prefix."""
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        run("cmake", "--preset", "release", "-B", build, f"-DPython3_EXECUTABLE={sys.executable}")
    jobs = os.environ.get("JOBS")
    run("cmake", "--build", build, "--target", "symdyn_program", "symdyn_python", *(["--parallel", jobs] if jobs else []))
    shutil.rmtree(stage, ignore_errors=True)
    run("cmake", "--install", build, "--prefix", stage)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    module = only(f"lib/python3*/*/symdyn/_core{suffix}",
                  f"This Python needs a module for {suffix}: build with -D SYMDYN_PYTHON=ON -D Python3_EXECUTABLE={sys.executable}")
    library = only("lib*/libsymdyn.so.[0-9]", "Build symdyn with CMAKE_INSTALL_LIBDIR = lib")
    programs = [("bin", "bin/symdyn"), ("libexec/symdyn", "libexec/symdyn/symdyn-render")]
    files = [(os.path.basename(os.path.dirname(library)), [library])]
    files += [(folder, [only(name, "Build symdyn again")]) for folder, name in programs]
    return os.path.dirname(module), files


os.makedirs(os.path.join(root, "build"), exist_ok=True)
builds = any(word in sys.argv for word in ("bdist_wheel", "build", "install"))
package, files = built() if builds else ("python/symdyn", [])
setup(version=version(), packages=["symdyn"], package_dir={"symdyn": package}, package_data={"symdyn": ["*.so", "*.pyi", "py.typed"]},
      data_files=files, distclass=Compiled, zip_safe=False,
      options={"egg_info": {"egg_base": "build"}})
