#!/bin/bash
# pip.sh SOURCE BUILD: installs the Python package with pip into an environment of its own, and runs its tests and the program there.
set -euo pipefail
source=$1
export SYMDYN_BUILD=$2
python=/usr/bin/python3
if ! "$python" -c 'import setuptools, pip, venv, wheel, pytest, numpy' 2> /dev/null; then
  echo "python3-pip, python3-setuptools, python3-wheel, python3-venv, python3-pytest or python3-numpy is missing"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv --system-site-packages "$work/v"
"$work/v/bin/pip" install --no-build-isolation --no-deps --no-index "$source"
unset PYTHONPATH
cd "$work"
"$work/v/bin/python" - "$work/v" <<'TEXT'
import os, sys
import symdyn
assert symdyn.__file__.startswith(sys.argv[1] + os.sep), symdyn.__file__
assert "newmark" in symdyn.schemes()
libraries = [line.split()[-1] for line in open("/proc/self/maps") if "libsymdyn.so" in line]
assert libraries and all(name.startswith(sys.argv[1] + os.sep) for name in libraries), libraries
TEXT
"$work/v/bin/symdyn" check "$source/decks/tutorial/1-swing.prm"
"$work/v/bin/symdyn" plot --help > /dev/null
SYMDYN_BINARY=$work/v/bin/symdyn "$work/v/bin/python" -m pytest -q -p no:cacheprovider "$source/python/tests" --ignore="$source/python/tests/test_ranks.py"
