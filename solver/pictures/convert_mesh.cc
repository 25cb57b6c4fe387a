#include "solver/pictures/convert_mesh.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/pictures/sweep_processes.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
constexpr int no_meshio = 3;

/// Exit codes: 0; 1 with a sentence; no_meshio.
const char *const script = R"python(
import sys
try:
    import meshio, numpy
except ImportError:
    sys.exit(3)
source, target, without = sys.argv[1], sys.argv[2], set(sys.argv[3:])


def stop(text):
    print(text)
    sys.exit(1)


known = set()
NUMBERED = "gmsh:physical", "medit:ref", "avsucd:material", "nastran:ref", "su2:tag", "ugrid:ref", "netgen:index", "tetgen:ref"


def called(name):
    """Groups without a name are (dimension, number)."""
    return str(name[1]) if isinstance(name, tuple) else name


def add(groups, name, block, members):
    known.add(called(name))
    if called(name) not in without and len(members):
        groups.setdefault(name, {}).setdefault(block, set()).update(int(i) for i in members)


def add_numbered(mesh, groups):
    """Groups that have a number alone; not those whose cells are all in groups with names."""
    for key in NUMBERED:
        for block, tags in enumerate(mesh.cell_data.get(key, [])):
            named = set().union(*(blocks.get(block, ()) for name, blocks in groups.items() if not isinstance(name, tuple)))
            for tag in numpy.unique(tags):
                members = numpy.flatnonzero(tags == tag)
                if tag < 0:
                    stop(f"{source}: {key} has the negative number {tag}. Give its cells a number above 0")
                if tag > 0 and not named.issuperset(members.tolist()):
                    add(groups, (mesh.cells[block].dim, int(tag)), block, members)


def sets_of(mesh):
    """Sets of cells, by name and block; names of sets of points. Salome's and Gmsh's stand in tags."""
    groups, points = {}, set(mesh.point_sets)
    for name, blocks in mesh.cell_sets.items():
        for block, members in enumerate(blocks):
            if not name.startswith("gmsh:") and members is not None:
                add(groups, name, block, members)
    for block, tags in enumerate(mesh.cell_data.get("cell_tags", [])):
        for tag, names in getattr(mesh, "cell_tags", {}).items():
            for name in names:
                add(groups, name, block, numpy.flatnonzero(tags == tag))
    for block, tags in enumerate(mesh.cell_data.get("gmsh:physical", [])):
        for name, (tag, dim) in mesh.field_data.items():
            if mesh.cells[block].dim == dim:
                add(groups, name, block, numpy.flatnonzero(tags == tag))
    add_numbered(mesh, groups)
    for names in getattr(mesh, "point_tags", {}).values():
        points.update(names)
    if unknown := without - points - known:
        stop(f"{source}: no set of --without {', '.join(sorted(unknown))}; there are: {', '.join(sorted(points | known)) or 'none'}")
    return groups, points - without - {called(name) for name in groups}


try:
    mesh = meshio.read(source)
except BaseException as error:
    stop(f"{source}: meshio {meshio.__version__} cannot read it: {error}")
groups, points = sets_of(mesh)
if points:
    stop(f"{source}: sets of nodes have no place in a .msh file: {', '.join(sorted(points))}. Make sets of faces of them, or name them in --without")
tags, dims = [numpy.zeros(len(block.data), dtype=int) for block in mesh.cells], {}
names = sorted(name for name in groups if not isinstance(name, tuple))
free = 1 + max((name[1] for name in groups if isinstance(name, tuple)), default=0)
numbers = {name: name[1] for name in groups if isinstance(name, tuple)} | {name: free + i for i, name in enumerate(names)}
of_number = {number: called(name) for name, number in numbers.items()}
for name, number in numbers.items():
    of_set = {mesh.cells[block].dim for block in groups[name]}
    if len(of_set) > 1:
        stop(f"{source}: the set {called(name)} has cells of several dimensions. Split it, or name it in --without")
    dims[name] = of_set.pop()
    for block, members in groups[name].items():
        members = sorted(members)
        for other in set(tags[block][members]) - {0}:
            stop(f"{source}: cells are in the sets {of_number[other]} and {called(name)}, and in a .msh file a cell is in one. Split them, or name one in --without")
        tags[block][members] = number
most = max((block.dim for block in mesh.cells), default=0)
cells, kept = [], []
for block, tag in zip(mesh.cells, tags):
    stays = tag > 0 if block.dim < most else numpy.ones(len(tag), dtype=bool)
    if stays.any():
        cells.append((block.type, block.data[stays]))
        kept.append(tag[stays])
points = mesh.points if mesh.points.shape[1] == 3 else numpy.column_stack([mesh.points, numpy.zeros(len(mesh.points))])
data = {"gmsh:physical": kept, "gmsh:geometrical": kept}
try:
    meshio.write(target, meshio.Mesh(points, cells, cell_data=data, field_data={name: numpy.array([numbers[name], dims[name]]) for name in names}),
                 file_format="gmsh22", binary=False)
    again, _ = sets_of(meshio.read(target, file_format="gmsh"))
except BaseException as error:
    stop(f"{source}: meshio {meshio.__version__} cannot write it as .msh: {error}")
size = lambda groups: {name: sum(len(members) for members in blocks.values()) for name, blocks in groups.items()}
if size(again) != size(groups):
    stop(f"{source}: sets were lost on the way: {size(groups)} became {size(again)}. Report this with the mesh")
print(f"{len(points)} nodes; " + ", ".join(f"{len(block)} {kind}" for kind, block in cells))
for name, number in sorted((called(name), number) for name, number in size(again).items()):
    print(f"  {name}: {number} cells")
)python";

/// Pythons to try: the one that the user names, or those of the path and of the system.
std::vector<std::string> pythons()
{
  if (const char *own = std::getenv("SYMDYN_PYTHON"); own && *own)
    return {own};
  std::vector<std::string> found;
  const char *path = std::getenv("PATH");
  for (const std::string &folder : split(std::string(path ? path : "") + ":/usr/bin", ':'))
    if (const std::string file = folder + "/python3"; access(file.c_str(), X_OK) == 0)
      found.push_back(file);
  return found;
}

std::string text_of(const std::string &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}
}  // namespace

int convert_mesh(const MeshOptions &options)
{
  if (fs::path(options.to).extension() != ".msh")
    throw InputError(options.to + ": a mesh is written as .msh (Gmsh 2.2). Give such a name");
  for (const char *own : {".inp", ".ucd"})
    if (fs::path(options.from).extension() == own)
      throw InputError(options.from + ": symdyn reads this file itself, with all of its sets: Mesh/File = " + options.from);
  if (!fs::exists(options.from))
    throw InputError(options.from + ": there is no such file");
  if (fs::exists(options.to) && !options.overwrite)
    throw InputError(options.to + ": exists. Give another name, or --overwrite");
  const std::string unfinished = options.to + ".part", terminal = options.to + ".txt";
  int code = no_meshio;
  std::string said;
  for (const std::string &python : pythons())
  {
    if (code != no_meshio)
      break;
    std::vector<std::string> words{python, "-c", script, options.from, unfinished};
    words.insert(words.end(), options.without.begin(), options.without.end());
    SweepProcesses processes;
    processes.start(0, words, terminal);
    code = processes.wait().exit_code;
    said = trim(text_of(terminal));
    fs::remove(terminal);
  }
  if (code == 0)
    fs::rename(unfinished, options.to);
  fs::remove(unfinished);
  if (code == no_meshio)
    throw InputError(
        "symdyn mesh needs a Python with meshio: apt-get install python3-meshio, or pip install meshio. SYMDYN_PYTHON names the Python");
  if (code != 0)
    throw InputError(said.empty() ? fmt::format("{}: Python ended with code {}", options.from, code) : said);
  std::printf("%s: %s\n", options.to.c_str(), said.c_str());
  return exit_done;
}
}  // namespace symdyn
