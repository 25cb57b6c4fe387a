#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "elements/rotors/at_speed.h"
#include "elements/system/assembled_system.h"
#include "elements/system/frames/fixed_frame.h"
#include "solver/error.h"

// The system in a frame that turns at another speed.
namespace symdyn
{
CopiedSystem AssembledSystem::turning(const State &about, const double speed, const Vector &u, const double factor) const
{
  Parts more = factor != 0. ? with_stresses(about, u, factor) : parts;
  more.rotation = parts.rotation->at_speed(speed);
  for (auto &term : more.terms)
    if (const auto *bearing = dynamic_cast<const TermAtSpeed *>(term.get()))
      term = bearing->at_speed(speed);
  for (LoadInUse &use : more.loads)
    if (const auto *unbalance = dynamic_cast<const LoadAtSpeed *>(use.load.get()))
      use.load = unbalance->at_speed(speed);
  return copied(std::move(more), about);
}

std::optional<UnevenBearing> AssembledSystem::uneven_bearing() const
{
  std::optional<UnevenBearing> first;
  each_bearing(parts.terms, [&](const TermAtSpeed &bearing) {
    if (const std::string why = bearing.why_uneven(); !first && !why.empty())
      first = {bearing.node().where, why};
  });
  return first;
}

std::string AssembledSystem::fixed_bearing() const
{
  std::string first;
  each_bearing(parts.terms,
               [&](const TermAtSpeed &bearing) { first = first.empty() && bearing.is_fixed() ? bearing.node().where : first; });
  return first;
}

std::vector<BearingForms> AssembledSystem::bearing_forms(const Vector &real, const Vector &imaginary) const
{
  std::vector<BearingForms> all;
  each_bearing(parts.terms, [&](const TermAtSpeed &bearing) {
    BearingForms forms = bearing.forms(real, imaginary);
    for (double *part : {&forms.damping, &forms.turning, &forms.cross, &forms.stiffness})
      *part = dealii::Utilities::MPI::sum(*part, parts.space->communicator());
    all.push_back(std::move(forms));
  });
  return all;
}

namespace
{
constexpr double same_body = 1e-8;

std::string way_out()
{
  return "In fixed axes the coefficients of such a body change with time. Take bearings that are the same in all directions, without Frame";
}

[[noreturn]] void refuse(const std::string &where, const FieldTurn &turn, const FixedFrame::Error &error)
{
  throw InputError(fmt::format(
      "{}: Frame = fixed: the {} of the body {} not the same after a turn{}: the difference is {:.2g} of it, more than {:g}. {}", where,
      error.of, error.of == "supports" ? "are" : "is", turn.sectors() > 0 ? fmt::format(" by 1/{} of a circle", turn.sectors()) : "",
      error.size, same_body, way_out()));
}

std::shared_ptr<const FieldTurn> find_turn(const AssembledSystem::Parts &parts, const AssembledMass &mass, const std::string &where,
                                           const std::function<void(Vector &)> &project)
{
  const NodeRings rings = NodeRings::find(*parts.space, *parts.rotation);
  std::shared_ptr<const FieldTurn> turn;
  FixedFrame::Error error;
  std::string fault;  // of the last number of sectors that the directors do not have
  for (const int sectors : FieldTurn::sectors(rings))
  {
    try
    {
      turn = std::make_shared<FieldTurn>(*parts.space, parts.rotation, parts.directors, rings, sectors);
    }
    catch (const InputError &found)
    {
      fault = found.what();
      continue;
    }
    error = FixedFrame(*parts.space, mass, parts.rotation, turn, parts.terms, parts.mass_damping).error(parts.space->new_vector(), project);
    if (error.size <= same_body)
      return turn;
  }
  if (turn)
    refuse(where, *turn, error);
  if (!fault.empty())
    throw InputError(where + ": Frame = fixed: " + fault + ". " + way_out());
  throw InputError(where +
                   ": Frame = fixed: no turn by a third of a circle or less takes the nodes of the mesh to each other. Let the mesh "
                   "have equal sectors; or take bearings that are the same in all directions, without Frame");
}
}  // namespace

void AssembledSystem::prepare_fixed_frame()
{
  const std::string where = fixed_bearing();
  if (where.empty())
    return;
  if (remembers())
    throw InputError(where +
                     ": Frame = fixed: a material with a memory is not the same after a turn. Take another law, or bearings without Frame");
  const auto is_frame = [](const std::shared_ptr<Term> &term) { return dynamic_cast<const FixedFrame *>(term.get()) != nullptr; };
  parts.terms.erase(std::remove_if(parts.terms.begin(), parts.terms.end(), is_frame), parts.terms.end());
  if (!parts.turn)
    parts.turn = find_turn(parts, mass_matrix, where, [this](Vector &x) { project(x); });
  fixed = std::make_shared<FixedFrame>(*parts.space, mass_matrix, parts.rotation, parts.turn, parts.terms, parts.mass_damping);
  parts.terms.push_back(std::const_pointer_cast<FixedFrame>(fixed));
}

namespace
{
/// A load that follows the body has a K of its own.
void check_load_of_revolution(const AssembledSystem &system, const std::size_t i, const State &about, const std::string &bearing)
{
  const AssembledSystem::Parts &parts = system.all_parts();
  const LoadInUse &use = parts.loads[i];
  const auto product = [&](const Vector &x) {
    Vector y = system.new_vector();
    use.load->add_stiffness(parts.actions->at(about.t), about.q, x, 1., y);
    y.compress(dealii::VectorOperation::add);
    system.project(y);
    y.update_ghost_values();
    return y;
  };
  Vector x = parts.space->irregular();
  system.project(x);
  x.update_ghost_values();
  Vector here = product(parts.turn->times(x));
  const Vector there = parts.turn->times(product(x));
  const double size = here.l2_norm() + there.l2_norm();
  here -= there;
  if (here.l2_norm() > same_body * size)
    throw InputError(fmt::format(
        "{}: load '{}' follows the body, and beside a bearing of Frame = fixed ({}) its stiffness is not the same after a turn: the "
        "difference is {:.2g} of it, more than {:g}. {}",
        use.where, use.name, bearing, here.l2_norm() / size, same_body, way_out()));
}
}  // namespace

void AssembledSystem::check_revolution(const State &about) const
{
  if (!fixed)
    return;
  about.q.update_ghost_values();
  if (const FixedFrame::Error error = fixed->error(about.q, [this](Vector &x) { project(x); }); error.size > same_body)
    refuse(fixed_bearing(), *parts.turn, error);
  for (std::size_t i = 0; i < parts.loads.size(); ++i)  // of strength 0, too: a Load factor may raise it
    if (parts.loads[i].load->follows())
      check_load_of_revolution(*this, i, about, fixed_bearing());
}

Vector AssembledSystem::quarter_turn(const Vector &f) const { return fixed->across(f); }

Waves AssembledSystem::waves(const Vector &real, const Vector &imaginary) const
{
  if (!turning_waves)
    turning_waves = std::make_unique<const TurningWaves>(*parts.space, *parts.rotation);
  return turning_waves->of(real, imaginary);
}

std::vector<Station> AssembledSystem::stations(const Vector &u) const
{
  std::vector<Station> all;
  const auto e = parts.rotation->directions();
  const int n = parts.space->block();
  const auto add = [&](const RotorNode &node) {
    Station station{node.name, {}};
    for (int d = 0; d < 2; ++d)
    {
      for (int i = 0; i < n && node.site >= 0; ++i)
        station.orbit[d] += e[d][i] * u.local_element(n * node.site + i);
      station.orbit[d] = dealii::Utilities::MPI::sum(station.orbit[d], parts.space->communicator());
    }
    all.push_back(station);
  };
  each_bearing(parts.terms, [&add](const TermAtSpeed &bearing) { add(bearing.node()); });
  for (const LoadInUse &use : parts.loads)
    if (const auto *unbalance = dynamic_cast<const LoadAtSpeed *>(use.load.get()))
      add(unbalance->node());
  return all;
}
}  // namespace symdyn
