#!/bin/bash
# quickstart.sh SOURCE: what ./quickstart builds, with stand-ins for the tools that it starts. `quickstart` builds the program alone; `quickstart test` the tests too.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/project/build/release" "$folder/bin"
cp "$source/quickstart" "$folder/project/quickstart"
for tool in cmake ninja ctest apt-get; do
  printf '#!/bin/bash\necho "%s $*" >> "%s/calls"\n' "$tool" "$folder" > "$folder/bin/$tool"
done
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
expect "unit_tests" yes "$tested"
expect "ctest" yes "$tested"
echo "quickstart builds the program alone, quickstart test the tests too"
