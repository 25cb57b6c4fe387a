#!/bin/bash
# format.sh SOURCE: whether clang-format 14 (that of Debian 12) would change a file of code; --fix SOURCE changes them. Exit code 77: there is no clang-format 14.
set -euo pipefail
how=(--dry-run -Werror)
[[ $1 != --fix ]] || { how=(-i); shift; }
cd "$1"
for tool in clang-format-14 clang-format none; do
  ! "$tool" --version 2> /dev/null | grep -q 'version 14\.' || break
done
[[ $tool != none ]] || { echo "no clang-format 14: apt-get install clang-format"; exit 77; }
find solver elements materials integrators meshes python tests benchmarks cmake \( -name '*.cc' -o -name '*.h' \) -print0 | xargs -0 "$tool" "${how[@]}"
