#!/bin/bash
# quickstart.sh SOURCE: what ./quickstart builds and counts, with stand-ins for the tools that it starts. `quickstart` builds the program alone; `quickstart test` the tests too.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/project/build/release" "$folder/bin"
cp "$source/quickstart" "$folder/project/quickstart"
for tool in cmake ninja apt-get; do
  printf '#!/bin/bash\necho "%s $*" >> "%s/calls"\n' "$tool" "$folder" > "$folder/bin/$tool"
done
printf '#!/bin/bash\necho "ctest $*" >> "%s/calls"\ncat "%s/report" 2> /dev/null\n' "$folder" "$folder" > "$folder/bin/ctest"
printf '#!/bin/bash\nshift 3; for package in "$@"; do echo "installed $package"; done\n' > "$folder/bin/dpkg-query"
printf '#!/bin/bash\necho "symdyn $*" >> "%s/calls"\n' "$folder" > "$folder/project/build/release/symdyn"
printf '#!/bin/bash\necho "Value: openblas"\n' > "$folder/bin/update-alternatives"
for preset in release asan; do
  mkdir -p "$folder/project/build/$preset"
  touch "$folder/project/build/$preset/build.ninja"
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$folder/project" > "$folder/project/build/$preset/CMakeCache.txt"
done
touch -d yesterday "$folder/project/CMakePresets.json"
chmod +x "$folder"/bin/* "$folder/project/build/release/symdyn"

calls() # WORDS of quickstart: the tools that it started
{
  : > "$folder/calls"
  PATH="$folder/bin:$PATH" "$folder/project/quickstart" "$@" > "$folder/output" 2>&1 || true
  cat "$folder/calls"
}
expect() # TEXT WANTED(yes or no) CALLS
{
  local found=no
  [[ $3 != *"$1"* ]] || found=yes
  [[ $found == "$2" ]] && return
  printf '%s\n' "expected '$1': $2, found: $found, in:" "$3" "output:" "$(cat "$folder/output")"
  exit 1
}

plain=$(calls)
expect "symdyn_program" yes "$plain"
expect "symdyn run" yes "$plain"
expect " all" no "$plain"
expect "unit_tests" no "$plain"
expect "ctest" no "$plain"
[[ $(grep -c '^ninja' <<< "$plain") == 1 ]] || { echo "one build is expected, not: $plain"; exit 1; }
tested=$(calls test)
expect " all" yes "$tested"
expect "unit_tests" no "$tested"
expect "ctest" yes "$tested"
sanitized=$(calls sanitize)
expect "build/asan" yes "$sanitized"
expect "unit_tests" yes "$sanitized"
expect "ctest" yes "$sanitized"
expect "symdyn_program" no "$sanitized"
# A test that a machine cannot run is neither passed nor failed; one that ends without a result of GoogleTest counts as one.
cat > "$folder/report" << 'REPORT'
1: [       OK ] Beam.Bends (3 ms)
1: [  SKIPPED ] Beam.IsDrawn (0 ms)
1: [==========] 2 tests from 1 test suite ran. (4 ms total)
1/3 Test #1: Beam ...........................   Passed    0.01 sec
2/3 Test #2: LaneWidths.x86-64-v4 ...........***Skipped   0.00 sec
3/3 Test #3: Manual.pages ...................   Passed    0.01 sec
REPORT
calls test > /dev/null
expect "  2 passed, 0 failed, 2 skipped" yes "$(cat "$folder/output")"
# Counted to the last line: the log is whole when it is read.
expect "2 passed, 0 failed" yes "$(tail -n 1 "$folder/output")"
sed -i 's/  Passed    0.01 sec/***Failed    0.01 sec/' "$folder/report"
calls test > /dev/null
expect "  1 passed, 2 failed, 2 skipped" yes "$(cat "$folder/output")"
echo "quickstart builds the program alone, quickstart test the tests too, quickstart sanitize those with sanitizers"
