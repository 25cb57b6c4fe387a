#include "solver/stages/spectra/stress_sites.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/linear_quantities.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

std::string stress_name(const std::size_t component)
{
  constexpr std::array<const char *, StressPoints::components> names{"S_xx", "S_yy", "S_zz", "S_xy", "S_yz", "S_zx"};
  return names[component];
}

StressSites::StressSites(const LinearQuantities &quantities, const bool fields) : quantities(quantities)
{
  const std::vector<Column> &columns = quantities.columns();
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].kind == Kind::stress)
      for (std::size_t c = 0; c < StressPoints::components; ++c)
      {
        const std::string ending = "." + stress_name(c), &title = columns[k].name;
        if (title.size() <= ending.size() || title.compare(title.size() - ending.size(), ending.size(), ending) != 0)
          continue;
        const std::string probe = title.substr(0, title.size() - ending.size());
        if (probes.empty() || probes.back().name != probe)
          probes.push_back({probe, {-1, -1, -1, -1, -1, -1}});
        probes.back().column[c] = int(k);
      }
  if (fields)
    places = quantities.stresses_at_rest().places;
  in_frames = fields && quantities.has_stresses();
}

void StressSites::warn_of_beams(const std::string &stage) const
{
  if (in_frames && quantities.has_axial_stresses())
    log_warning(
        fmt::format("stage {}: stresses of beams are those of N, M1 and M2 along their axes, without torsion and shear. Look at T, "
                    "V1 and V2 (Section forces at) where these matter",
                    stage));
}

std::vector<std::vector<double>> StressSites::of(const std::vector<std::vector<double>> &values, const std::vector<Vector> &u) const
{
  std::vector<std::vector<double>> stress(in_frames ? quantities.stresses(u) : std::vector<std::vector<double>>(u.size()));
  for (std::size_t k = 0; k < u.size(); ++k)
  {
    std::vector<double> of_probes;
    for (const ProbeColumns &probe : probes)
      for (const int column : probe.column)
        of_probes.push_back(column < 0 ? 0. : values[k][column]);
    stress[k].insert(stress[k].begin(), of_probes.begin(), of_probes.end());
  }
  return stress;
}

std::string StressSites::line_of(const std::string &name, const std::vector<Field> &fields, const std::size_t site) const
{
  std::string line = name;
  for (const Field &field : fields)
    for (unsigned int c = 0; c < field.width; ++c)
      line += fmt::format(",{}", field.values[site * field.width + c]);
  return line + "\n";
}

std::string StressSites::line_of_largest(const Analysis &analysis, const std::string &stage, const std::vector<Field> &fields) const
{
  const auto decisive = std::find_if(fields.begin(), fields.end(), [](const Field &field) { return field.width == 1; });
  const MPI_Comm ranks = analysis.state.q.get_mpi_communicator();
  const auto first = decisive->values.begin() + long(probes.size()), found = std::max_element(first, decisive->values.end());
  const double here = found == decisive->values.end() ? -1. : *found, largest = MPI::max(here, ranks);
  const unsigned int me = MPI::this_mpi_process(ranks), none = std::numeric_limits<unsigned int>::max(),
                     holder = MPI::min(here == largest ? me : none, ranks);
  if (holder == none)
    throw ComputationError("stage " + stage + ": the stresses are not finite");
  std::string line, place;
  if (me == holder)
  {
    const double *X = &places[3 * (found - first)];
    place = fmt::format("{:.6g} {:.6g} {:.6g}", X[0], X[1], X[2]);
    line = line_of("largest at " + place, fields, found - decisive->values.begin());
  }
  line = MPI::broadcast(ranks, line, holder);
  place = MPI::broadcast(ranks, place, holder);
  log_line(fmt::format("stage {}: the largest {} is {:.6g} {}, at {} {}", stage, decisive->name, largest, decisive->unit, place,
                       analysis.units.length));
  (*analysis.found)[stage]["largest_stress"] = {
      {"quantity", decisive->name}, {"value", largest}, {"unit", decisive->unit}, {"place", place}};
  return line;
}

void StressSites::write(Analysis &analysis, const std::string &stage, const std::string &stem, const std::vector<Field> &fields,
                        const Vector &displacement) const
{
  std::string text = "place";
  for (const Field &field : fields)
    for (unsigned int c = 0; c < field.width; ++c)
      text += fmt::format(",{}{}{}", field.name, field.width > 1 ? " " + stress_name(c) : "",
                          field.unit.empty() ? "" : " [" + field.unit + "]");
  text += "\n";
  for (std::size_t site = 0; site < probes.size(); ++site)
    text += line_of(probes[site].name, fields, site);
  if (in_frames)
    text += line_of_largest(analysis, stage, fields);
  if (any())
    analysis.recorder.file(stem + "-stress.csv", text);
  if (!analysis.recorder.writes_fields())
    return;
  std::vector<PointValues> in_frame;
  for (const Field &field : fields)
    if (in_frames)
      in_frame.push_back({field.name, field.width, {field.values.begin() + long(probes.size() * field.width), field.values.end()}});
  Results::Collection frames;
  frames.emplace_back(0., analysis.recorder.shape(displacement, stem, in_frame));
  analysis.recorder.collection(stem + ".pvd", frames);
}
}  // namespace symdyn
