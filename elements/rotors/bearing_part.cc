#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/rotors/bearing_term.h"
#include "elements/rotors/rotor_part.h"
#include "solver/base/log.h"

namespace symdyn
{
namespace
{
constexpr const char *ways_out =
    "In a frame that turns, others have coefficients that change with time. Set Frame = fixed, for a body of revolution; or take the means of "
    "both directions";
}  // namespace

/// A bearing that holds a node on the axis of a rotor, across the axis.
class BearingPart : public RotorPart
{
public:
  void declare(const std::string &given_name, Parameters &p) override
  {
    declare_node(given_name, p, "the bearing");
    const std::string form = "k_xx, k_xy, k_yx, k_yy", damping_form = "c_xx, c_xy, c_yx, c_yy";
    p.add(
        "Stiffness", stiffness,
        form +
            " between two directions across the axis [N/m], or one number for k_xx = k_yy. Frame = rotating needs k_xx = k_yy, k_xy = -k_yx");
    p.add("Damping", damping,
          damping_form +
              " likewise [N s/m]: of the velocity against the ground. Dashpots of the deck turn with the rotor, and damp its motion "
              "in the frame");
    p.add(
        "Frame", frame_name,
        "of the equations. rotating: the bearing is the same in all directions, and the body any one; fixed: the bearing is any one, and the "
        "body one of revolution, or of three equal sectors at least. One bearing of Frame = fixed gives the equations of all that frame",
        {"rotating", "fixed"});
    p.add("File", file,
          "in their place: lines of a speed [rad/s], " + form + " [N/m], " + damping_form + " [N s/m]; straight between them");
    p.add("Beyond", beyond, "at speeds below the first and above the last line of the File: an error, or constant: the values of that line",
          {"error", "constant"});
    if (p.given("File") == (p.given("Stiffness") || p.given("Damping")))
      p.fail("", "a bearing has Stiffness and Damping, or a File with both over the speed. Give one of both");
    if (p.given("Beyond") && file.empty())
      p.fail("Beyond", "is of a File, and there is none. Remove the entry");
    coefficients.fixed = frame_name == "fixed";
    coefficients.beyond = beyond == "constant";
    if (!file.empty())
      return read_file(p);
    coefficients.stiffness = matrix(p, "Stiffness", stiffness);
    coefficients.damping = matrix(p, "Damping", damping);
  }
  void join(SitePlan &plan) override
  {
    RotorPart::join(plan);
    if (coefficients.fixed)
      plan.join_all();
    constexpr double on_axis = 1e-6;
    double off = 0., far = 0.;
    for (int i = 0; i < frame->dimension; ++i)
    {
      double across = 0.;
      for (int j = 0; j < frame->dimension; ++j)
        across += frame->across(i, j) * (place.position[j] - frame->point[j]);
      off = std::hypot(off, across);
      far = std::hypot(far, place.position[i] - frame->point[i]);
    }
    if (off > on_axis * std::max(far, plan.mesh().size()))
      deck->fail("At",
                 fmt::format("is {:.6g} off the axis of Rotation. A bearing holds a node on the axis: of a ring of nodes, that is the "
                             "reference of a coupling (Couplings)",
                             off));
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    if (!coefficients.has(frame->speed))
      deck->fail(
          "File",
          fmt::format("has the speeds {} rad/s, and Rotation the Speed {:g}. Give it one between, add lines, or set Beyond = constant",
                      coefficients.range(), frame->speed));
    PartInSystem made;
    made.linear = true;
    made.terms.push_back(std::make_shared<BearingTerm>(node(sites), local(sites), frame, coefficients));
    return made;
  }
  std::string description() const override { return "a bearing"; }

private:
  /// Of (xx, xy, yx, yy).
  void check_form(const Parameters &p, const std::string &entry, const std::vector<double> &values, const std::string &at) const
  {
    constexpr double rounding = 1e-9;
    const double size = std::max({std::abs(values[0]), std::abs(values[1]), std::abs(values[2]), std::abs(values[3])});
    if (frame_name == "rotating" &&
        (std::abs(values[0] - values[3]) > rounding * size || std::abs(values[1] + values[2]) > rounding * size))
      p.fail(
          entry,
          fmt::format(
              "{} is not the same in all directions: xx = {:g}, xy = {:g}, yx = {:g}, yy = {:g}. A bearing needs xx = yy and xy = -yx. {}",
              at, values[0], values[1], values[2], values[3], ways_out));
  }
  /// The least principal value of the symmetric part below 0: legal, as of a seal, and rarely meant. Returns whether it is.
  static bool warn_if_negative(const Parameters &p, const std::string &entry, const std::vector<double> &values, const std::string &at,
                               const bool is_damping)
  {
    constexpr double rounding = 1e-9;
    const double coupling = 0.5 * (values[1] + values[2]), mean = 0.5 * (values[0] + values[3]),
                 radius = std::hypot(0.5 * (values[0] - values[3]), coupling);
    if (mean - radius >= -rounding * (std::abs(mean) + radius))
      return false;
    const std::string letter = is_damping ? "c" : "k", direct = values[0] < 0. ? "xx" : values[3] < 0. ? "yy" : "";
    log_warning(fmt::format(
        "{}: {} has {}: {}. Check the sign", p.where(entry), at,
        direct.empty()
            ? fmt::format("{0}_xx = {1:g}, {0}_yy = {2:g} and ({0}_xy + {0}_yx)/2 = {3:g}, of which a principal value is {4:g} < 0", letter,
                          values[0], values[3], coupling, mean - radius)
            : fmt::format("{}_{} = {:g} < 0", letter, direct, direct == "xx" ? values[0] : values[3]),
        is_damping ? "along this direction it feeds motions of its node" : "along this direction it pushes its node off the axis"));
    return true;
  }
  BearingCoefficients::Matrix matrix(const Parameters &p, const std::string &entry, std::vector<double> values) const
  {
    if (values.size() == 1)
      values = {values[0], 0., 0., values[0]};
    if (values.size() != 4)
      p.fail(entry, "needs one number, or four: xx, xy, yx, yy");
    check_form(p, entry, values, "the bearing");
    warn_if_negative(p, entry, values, "the bearing", entry == "Damping");
    return {values[0], values[1], values[2], values[3]};
  }
  void read_file(const Parameters &p)
  {
    constexpr std::size_t columns = 8;
    const std::vector<Table> tables = Table::read_columns(p.file_path(file));
    if (tables.size() != columns)
      p.fail("File",
             fmt::format("has {} columns after the speed. It needs 8: k_xx, k_xy, k_yx, k_yy, c_xx, c_xy, c_yx, c_yy", tables.size()));
    if (const double first = tables.front().times().front(); first < 0.)
      p.fail("File", fmt::format("has a speed of {:g} rad/s. A rotor that turns backwards has the mirror image: give speeds >= 0", first));
    for (const std::size_t first : {0, 4})
      for (std::size_t i = 0, warned = 0; i < tables.front().times().size(); ++i)
      {
        const std::vector<double> values{tables[first].values()[i], tables[first + 1].values()[i], tables[first + 2].values()[i],
                                         tables[first + 3].values()[i]};
        const std::string at = fmt::format("its {} at {:g}", first == 0 ? "stiffness" : "damping", tables[first].times()[i]);
        check_form(p, "File", values, at);
        warned = warned || warn_if_negative(p, "File", values, at, first > 0);
      }
    coefficients.over_speed = tables;
  }

  std::vector<double> stiffness{0.}, damping{0.};
  std::string file, frame_name = "rotating", beyond = "error";
  BearingCoefficients coefficients;
};

SYMDYN_REGISTER(StructurePart, BearingPart, "Bearings");
}  // namespace symdyn
