#include "solver/program/new_deck.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "solver/error.h"
#include "solver/program/mesh_deck.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

const char *const new_deck = R"(# {0}: a symdyn deck. Run it: symdyn run {0}.prm     What may stand here: symdyn parameters
set Title = A beam that swings

subsection Units
  set System = SI                # labels of the output
end

subsection Mesh
  set Dimension = 3
  set Type = beam                # box, rod, ring, ...; or file, with File = part.msh
  set Subdivisions = 20, 2, 2
  set Order = 2
  subsection beam
    set Length = 10              # [m]; Height and Width are 1 m
  end
end

subsection Materials
  subsection rubber
    set Type = neo-hooke-log
    set E = 1e7                  # [Pa]
    set nu = 0.3
    set Density = 1000           # [kg/m^3]
  end
end

subsection Supports
  subsection clamp
    set Boundary = root          # `symdyn check {0}.prm` lists the boundaries
    set Type = fixed
  end
end

subsection Loads
  subsection push
    set Type = traction
    set Boundary = tip
    set Traction = 0, -2e4, 0    # [Pa], expressions of x, y, z, t
    set Amplitude = min(t/0.1, 1)
  end
end

subsection Probes
  subsection tip
    set Point = 10, 0, 0         # [m]
  end
end

subsection Time
  set Time step = 0.02           # [s]
  set End time = 2
end

subsection Integrator
  set Scheme = newmark
  subsection newmark
    set beta = 0.25
    set gamma = 0.5
  end
end

subsection Output
  set Write every = 1            # steps; or a time, `0.1 s`
end
)";

const char *const new_job = R"(#!/bin/bash
# Runs {0}.prm: sbatch {0}.slurm     Submitted once more after the time limit it goes on from the checkpoint.
#SBATCH --job-name={0}
#SBATCH --ntasks=8               # ranks; 20000 degrees of freedom and more each
#SBATCH --time=02:00:00
#SBATCH --output=%x-%j.txt
limit=7000                       # [s] within --time: then symdyn stops with a checkpoint

export OMP_NUM_THREADS=1
if [ -e "results/{0}/checkpoint" ]; then
  srun symdyn run --restart "results/{0}" --max-wall-time $limit
else
  srun symdyn run "{0}.prm" --max-wall-time $limit
fi
)";

std::string with_name(std::string text, const std::string &name)
{
  for (std::size_t i = 0; (i = text.find("{0}")) != std::string::npos;)
    text.replace(i, 3, name);
  return text;
}

/// The file that the deck in `folder` names.
std::string seen_from(const fs::path &folder, const std::string &file)
{
  const fs::path given = fs::path(file);
  return given.is_absolute() ? file : fs::relative(fs::absolute(given), fs::absolute(folder.empty() ? "." : folder)).string();
}
}  // namespace

std::vector<std::string> write_new_deck(const NewDeck &wanted)
{
  const fs::path given(wanted.name);
  const fs::path stem = given.extension() == ".prm" ? given.parent_path() / given.stem() : given;
  const std::string file = stem.string() + ".prm", name = stem.filename();
  std::vector<std::pair<std::string, std::string>> files{
      {file, wanted.from.empty() ? with_name(new_deck, name)
                                 : deck_of_mesh(name, seen_from(stem.parent_path(), wanted.from), wanted.from, wanted.stage)}};
  if (wanted.slurm && name.find_first_of("\"$`\\") != std::string::npos)
    throw InputError(name + ": a shell would not read this name as it is: it has one of \" $ ` \\. Choose another one");
  if (wanted.slurm)
    files.emplace_back(stem.string() + ".slurm", with_name(new_job, name));
  std::vector<std::string> names;
  for (const auto &[to, text] : files)
    if (names.push_back(to); fs::exists(to))
      throw InputError(to + ": the file exists. Choose another name");
  for (const auto &[to, text] : files)
    if (!(std::ofstream(to) << text << std::flush))
      throw InputError(to + ": cannot be written. Choose another folder");
  return names;
}
}  // namespace symdyn
