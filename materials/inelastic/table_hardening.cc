#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "materials/inelastic/hardening.h"
#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// The yield stress between points (p, sigma) linearly, as in Abaqus and CalculiX; behind the last it stays (Simo, Hughes 1998, 3.3).
class TableHardening : public Hardening
{
public:
  void declare(Parameters &p) override
  {
    std::string file;
    std::vector<std::string> rows;
    p.add("Hardening table", rows,
          "points \"p sigma\" of the yield stress over the accumulated plastic strain, from \"0 sigma_y\" on, separated by commas [-, Pa]; "
          "between them linear, behind the last constant");
    p.add("Hardening file", file, "the same, a file of lines \"p sigma\"; lines that begin with # are skipped");
    if (p.given("Hardening table") && p.given("Hardening file"))
      p.fail("Hardening file", "the curve is given by Hardening table, too. Give one of the two");
    if (p.given("Hardening file"))
      read(p, p.file_path(file));
    for (std::size_t k = 0; k < rows.size(); ++k)
      add_row(p, "Hardening table", rows[k], "point " + std::to_string(k + 1));
    if (!strain.empty())
      check(p);
  }
  bool given() const override { return !strain.empty(); }
  double yield_stress() const override { return stress.empty() ? 0. : stress.front(); }
  Rise at(const Wide &p) const override
  {
    Rise r;
    for (int lane = 0; lane < lanes; ++lane)
    {
      const double x = p[lane];
      const std::size_t k = std::upper_bound(strain.begin() + 1, strain.end(), x) - strain.begin() - 1;  // NaN: the last
      const double slope = k + 1 < strain.size() ? (stress[k + 1] - stress[k]) / (strain[k + 1] - strain[k]) : 0., dx = x - strain[k];
      const double begin = stress[k] - stress.front();
      r.slope.set(lane, slope);
      r.stress.set(lane, begin + slope * dx);
      r.energy.set(lane, energy[k] + (begin + 0.5 * slope * dx) * dx);
    }
    return r;
  }

private:
  void add_row(const Parameters &p, const std::string &entry, const std::string &text, const std::string &place)
  {
    std::istringstream row(text);
    double x = 0, y = 0;
    std::string rest;
    if (!(row >> x >> y) || row >> rest)
      p.fail(entry, place + ", \"" + shortened(text) + "\", is not two numbers p sigma. Write for example \"0 400e6\"");
    if (!strain.empty() && !(x > strain.back()))
      p.fail(entry, place + ", \"" + shortened(text) + "\": p does not grow. Sort the points, one to each p");
    strain.push_back(x);
    stress.push_back(y);
  }
  void read(const Parameters &p, const std::string &path)
  {
    const TextFile file = TextFile::read(path);
    if (!file.fault.empty())
      p.fail("Hardening file", file.place(path) + " " + file.fault);
    for (const auto &[number, line] : file.rows())
      add_row(p, "Hardening file", line, path + ":" + std::to_string(number));
    if (strain.empty())
      p.fail("Hardening file", path + " has no points. Write lines p sigma [-, Pa]");
  }
  void check(const Parameters &p)
  {
    const std::string entry = p.given("Hardening file") ? "Hardening file" : "Hardening table";
    if (strain.front() != 0.)
      p.fail(entry, "the first point is at p = " + fmt::format("{:.4g}", strain.front()) + "; it must be \"0 sigma_y\"");
    for (std::size_t k = 0; k < stress.size(); ++k)
      if (!(stress[k] > 0.))
        p.fail(entry, "point " + std::to_string(k + 1) + ": the yield stress must be > 0");
    energy.assign(1, 0.);
    for (std::size_t k = 0; k + 1 < strain.size(); ++k)
      energy.push_back(energy[k] + (0.5 * (stress[k] + stress[k + 1]) - stress.front()) * (strain[k + 1] - strain[k]));
  }

  std::vector<double> strain, stress, energy;
};
}  // namespace
SYMDYN_REGISTER(Hardening, TableHardening, "table");
}  // namespace symdyn
