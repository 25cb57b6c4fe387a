#include <cmath>

#include "elements/system/joint_operator.h"
#include "elements/system/joint_system.h"

// What moves a body with points from outside: loads, supports.
namespace symdyn
{
void JointSystem::applied_force(const double t, const Vector &q, const Vector &v, Vector &f) const
{
  on_body({&q, &v}, f, [&](const Given &x, Vector &y) { body.applied_force(t, *x[0], *x[1], y); });
  add_points({&q, &v}, f, [&](const Given &x, Vector &y) { points.applied_force(t, *x[0], *x[1], y); });
  if (fading.size() > 0)
    f.add(1. - points.reached(), fading);
}

void JointSystem::add_load_stiffness(const double t, const Vector &q, const Vector &u, Vector &Ku) const
{
  if (!body.has(Feature::follower_loads))
    return;
  Vector of_loads = new_vector();
  on_body({&q, &u}, of_loads, [&](const Given &x, Vector &y) {
    y = 0.;
    body.add_load_stiffness(t, *x[0], *x[1], y);
  });
  Ku += of_loads;
}

void JointSystem::load_force(const std::size_t number, const double t, const Vector &q, Vector &f) const
{
  const std::size_t of_body = body.load_names().size();
  on_body({&q}, f, [&](const Given &x, Vector &y) { number < of_body ? body.load_force(number, t, *x[0], y) : void(y = 0.); });
  if (number >= of_body)
    add_points({&q}, f, [&](const Given &x, Vector &y) { points.load_force(number - of_body, t, *x[0], y); });
}

void JointSystem::impose(const double t, Vector &q, Vector &v, Vector &a) const
{
  impose_supports(t, q, v, a);
  if (ties.any())
    ties.impose(t, points.motion_factor(), q, v, a);
}

void JointSystem::impose_supports(const double t, Vector &q, Vector &v, Vector &a) const
{
  if (layout.plain())
  {
    body.impose(t, q, v, a);
    return;
  }
  Vector *const joint[] = {&q, &v, &a};
  Vector part[3], fixed[3];
  for (int i = 0; i < 3; ++i)
  {
    part[i] = of_body(*joint[i]);
    fixed[i] = points.new_vector();
  }
  body.impose(t, part[0], part[1], part[2]);
  points.impose(t, fixed[0], fixed[1], fixed[2]);
  for (int i = 0; i < 3; ++i)
  {
    std::copy_n(part[i].begin(), part[i].locally_owned_size(), joint[i]->begin());
    layout.assign_own(fixed[i].begin(), *joint[i], [this](const int k, const int d) { return points.all_parts().points[k].holds(d); });
  }
}

void JointSystem::project(Vector &r) const
{
  project_supports(r);
  if (ties.any())
    ties.project(r);
}

void JointSystem::project_supports(Vector &r) const
{
  if (layout.plain())
  {
    body.project(r);
    return;
  }
  Vector part = of_body(r);
  const std::vector<double> zero(layout.components() * points.all_parts().points.size(), 0.);
  body.project(part);
  std::copy_n(part.begin(), part.locally_owned_size(), r.begin());
  layout.assign_own(zero.data(), r, [this](const int k, const int d) { return points.all_parts().points[k].holds(d); });
}

void JointSystem::project_prescribed(Vector &r) const
{
  if (ties.any())
  {
    Vector free(r);
    project(free);
    r -= free;
    return;
  }
  if (layout.plain())
  {
    body.project_prescribed(r);
    return;
  }
  Vector part = of_body(r);
  const std::vector<double> zero(layout.components() * points.all_parts().points.size(), 0.);
  body.project_prescribed(part);
  std::copy_n(part.begin(), part.locally_owned_size(), r.begin());
  layout.assign_own(zero.data(), r, [this](const int k, const int d) { return !points.all_parts().points[k].holds(d); });
}

std::vector<std::string> JointSystem::load_names() const
{
  std::vector<std::string> names = body.load_names(), of_points = points.load_names();
  names.insert(names.end(), of_points.begin(), of_points.end());
  return names;
}

void JointSystem::begin_loads(const std::vector<bool> &act)
{
  const auto middle = act.begin() + body.load_names().size();
  body.begin_loads({act.begin(), middle});
  points.begin_loads({middle, act.end()});
}

std::vector<DrivingTable> JointSystem::driving_tables() const
{
  const auto *driven = dynamic_cast<const TableDriven *>(&body);
  return driven ? driven->driving_tables() : std::vector<DrivingTable>();
}

void JointSystem::average_tables(const StepMean &mean)
{
  if (auto *driven = dynamic_cast<TableDriven *>(&body))
    driven->average_tables(mean);
  points.average_tables(mean);
}

void JointSystem::set_statics(const bool now)
{
  body.set_statics(now);
  points.set_statics(now);
}

void JointSystem::set_load_factor(const double factor)
{
  body.set_load_factor(factor);
  points.set_load_factor(factor);
}
}  // namespace symdyn
