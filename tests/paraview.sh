#!/bin/bash
# Runs paraview/open.py under ParaView 5.11 of Debian 12 on a fresh quickstart result and looks at the picture.
#     tests/paraview.sh SYMDYN [FOLDER]     the program; where ParaView is unpacked and pictures go (build/paraview)
# Debian's packages of ParaView and of VTK's headers cannot be installed side by side, so ParaView is only unpacked, with two libraries and NumPy. It needs,
# installed: python3-mpi4py xvfb libgl1-mesa-dri.
# Exit code 77: ParaView cannot be had here (no network, or not Debian); the test is skipped.
set -euo pipefail

source=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
program=$(readlink -f "${1:?the symdyn program}")
work=${2:-$source/build/paraview}
width=960 height=540
mkdir -p "$work"
cd "$work"

skip()
{
  echo "skipped: $*"
  exit 77
}
fail()
{
  echo "FAILED: $*" >&2
  exit 1
}

unpack()
{
  [[ -x root/usr/bin/pvbatch ]] && return
  command -v apt-get > /dev/null || skip "no apt-get, so no ParaView package"
  rm -rf root deb
  mkdir deb
  (cd deb && apt-get download paraview python3-paraview libqt5help5 libqt5opengl5 libqt5sql5 python3-numpy) || skip "the packages cannot be downloaded"
  for package in deb/*.deb; do
    dpkg -x "$package" unpacked
  done
  mv unpacked root # complete or not there
}

missing_libraries()
{
  ldd root/usr/bin/pvbatch root/usr/lib/x86_64-linux-gnu/*.so 2> /dev/null | awk '/not found/ {print $1}' | sort -u
}

display=
stop_display()
{
  [[ -z $display ]] || kill "$display" 2> /dev/null || true
}
trap stop_display EXIT

# Xvfb picks a free display by itself: xvfb-run may collide with another one. Without -noreset it starts anew when its last window closes, and refuses others for a moment.
start_display()
{
  command -v Xvfb > /dev/null || skip "no Xvfb"
  : > display
  Xvfb -displayfd 3 -noreset -screen 0 1280x1024x24 -nolisten tcp 3> display 2> /dev/null &
  display=$!
  for ((i = 0; i < 100; ++i)); do
    [[ -s display ]] && break
    sleep 0.1
  done
  [[ -s display ]] || fail "Xvfb does not start"
  export DISPLAY=:$(< display)
}

batch() # NAME SCRIPT [ARGUMENT...]
{
  local name=$1
  shift
  root/usr/bin/pvbatch "$@" > "$name.log" 2>&1 || { cat "$name.log"; fail "pvbatch $*"; }
  if grep -Eq 'ERR\||WARN\||Traceback' "$name.log"; then
    cat "$name.log"
    fail "ParaView complains: $*"
  fi
}

picture() # RESULT NAME [OPTION...]
{
  local result=$1 name=$2
  shift 2
  rm -f "$name.png"
  batch "$name" "$source/paraview/open.py" "$result" --png "$work/$name.png" --size ${width}x$height "$@"
  look_at "$name.png" || fail "$name.png"
}

look_at() # PNG: its size; pixels of the body and of the colour bar, which alone are colourful; their colours
{
  python3 - "$1" "$width" "$height" << 'PYTHON'
import struct, sys, zlib

name, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = open(name, "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
at, packed = 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at : at + 8])
    chunk = data[at + 8 : at + 8 + length]
    if kind == b"IHDR":
        w, h, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunk)
    if kind == b"IDAT":
        packed += chunk
    at += 12 + length
assert (w, h) == (width, height), f"{w}x{h} instead of {width}x{height}"
assert depth == 8 and colour in (2, 6) and not interlaced, "an unexpected kind of PNG"
n = 3 if colour == 2 else 4
raw, above, colours, body, mask = zlib.decompress(packed), bytearray(w * n), set(), 0, bytearray(w * h)
for row in range(h):
    start = row * (w * n + 1)
    how, line = raw[start], bytearray(raw[start + 1 : start + 1 + w * n])
    for i in range(w * n):
        left, up, corner = (line[i - n], above[i], above[i - n]) if i >= n else (0, above[i], 0)
        if how == 1:
            line[i] = (line[i] + left) & 255
        elif how == 2:
            line[i] = (line[i] + up) & 255
        elif how == 3:
            line[i] = (line[i] + (left + up) // 2) & 255
        elif how == 4:
            nearest = min((left, up, corner), key=lambda x: abs(left + up - corner - x))
            line[i] = (line[i] + nearest) & 255
    for i in range(0, w * n, n):
        red, green, blue = line[i : i + 3]
        if max(red, green, blue) - min(red, green, blue) > 60:
            colours.add((red, green, blue))
            # left of the colour bar, above the little axes
            if i < 0.78 * w * n and row < 0.75 * h:
                body += 1
                mask[row * w + i // n] = 1
    above = line
print(f"{name}: {w}x{h}, {body} coloured pixels of the body, {len(colours)} colours")
assert body > 0.01 * w * h, "there is no body to see"
assert len(colours) > 100, "hardly any colours: the stress is not shown"
with open(name + ".body", "wb") as file:
    file.write(mask)
PYTHON
}

# Words (time, scale) are in the pictures, too: what is compared is where the body is.
bodies_differ() # PNG PNG
{
  python3 - "$1" "$2" << 'PYTHON'
import sys

a, b = (open(name + ".body", "rb").read() for name in sys.argv[1:])
other = sum(x != y for x, y in zip(a, b))
print(f"{sys.argv[1]} and {sys.argv[2]}: {other} pixels of {sum(a)} are body in one of both alone")
sys.exit(other < 0.02 * sum(a))
PYTHON
}

unpack
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu PYTHONPATH=$work/root/usr/lib/python3/dist-packages
missing=$(missing_libraries)
[[ -z $missing ]] || skip "libraries are missing: $missing"
start_display

# Fifty steps and five frames: far enough for the body to leave its first place.
"$program" run "$source/decks/examples/quickstart.prm" --output "$work/quickstart" --overwrite --quiet \
  --set "Time/End time=0.25" --set "Output/Write every=0.05 s"
picture "$work/quickstart" last
picture "$work/quickstart/solution.pvd" ghosts --time 0.15 --ghosts 0.05,0.1
bodies_differ last.png ghosts.png || fail "two times give the same picture"
picture "$work/quickstart" still --scale 0
bodies_differ last.png still.png || fail "the deformation is not visible"
picture "$work/quickstart" plots --plots
cmp -s last.png plots.png && fail "no plots beside the body"

# picture.py: a still is that of open.py; an animation; the state of the project, loaded with the results of this machine.
rm -rf series by_script.png swing.ogv
batch script "$source/paraview/picture.py" "$work/quickstart" "$work/by_script.png" --size ${width}x$height
cmp -s last.png by_script.png || fail "picture.py and open.py draw different pictures"
batch series "$source/paraview/picture.py" "$work/quickstart" "$work/series" --size ${width}x$height
[[ $(ls series | wc -l) == 6 ]] || fail "six frames give $(ls series | wc -l) pictures"
look_at "$(ls series/*.png | tail -1)" || fail "the last picture of the series"
batch movie "$source/paraview/picture.py" "$work/quickstart" "$work/swing.ogv" --size ${width}x$height
[[ -s swing.ogv ]] || fail "no animation"
cat > load.py << PYTHON
from paraview.simple import *
LoadState("$source/paraview/symdyn.pvsm", data_directory="$work/quickstart")
view = FindViewOrCreate("RenderView1", "RenderView")
GetAnimationScene().GoToLast()
ResetCamera(view)
SaveScreenshot("$work/state.png", view, ImageResolution=[$width, $height])
PYTHON
rm -f state.png
batch load "$work/load.py"
look_at state.png || fail "the saved state"

"$program" run "$source/decks/verification/turek-hron-csm1.prm" --output "$work/flag" --overwrite --quiet
picture "$work/flag" flag

# Thin structures, alone and on solids: pictures with real sections and thickness, and every frame, shape and field.
thin=()
for entry in frame-tower:area portal-frame:area shell-roof:400 blade:128 stiffened-panel:384 roof-on-block:180; do
  deck=${entry%:*}
  settings=()
  if grep -q 'Type = dynamic' "$source/decks/examples/$deck.prm"; then
    settings=(--set "Time/End time=0.2")
  fi
  "$program" run "$source/decks/examples/$deck.prm" --output "$work/$deck" --overwrite --quiet "${settings[@]}"
  thin+=("$work/$entry")
  picture "$work/$deck" "$deck"
done
batch cells "$source/tests/paraview_cells.py" "${thin[@]}"
cat cells.log
"$program" run "$source/decks/examples/frame-tower.prm" --output "$work/lines" --overwrite --quiet --set "Time/End time=0.01" --set "Output/Thickness=none"
batch lines "$source/tests/paraview_cells.py" "$work/lines:none"
root/usr/bin/pvbatch "$source/tests/paraview_cells.py" "$work/lines:area" > lines.log 2>&1 && fail "Thickness = none has sections"

mpirun --oversubscribe --allow-run-as-root -n 2 "$program" run "$source/decks/examples/quickstart.prm" --output "$work/parallel" \
  --overwrite --quiet --set "Time/End time=0.05" --set "Output/Write every=0.05 s"
picture "$work/parallel" parallel

root/usr/bin/pvbatch "$source/paraview/open.py" "$work/nothing" > nothing.log 2>&1 && fail "a result that is not there"
grep -q 'there is no such file' nothing.log || fail "a result that is not there: no message"
echo "passed"
