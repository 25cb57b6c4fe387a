#include "elements/space/director_frames.h"
#include "solver/base/together.h"
#include "solver/error.h"

// Steps of directors under a mass that joins the sites of a node.
namespace symdyn
{
std::vector<Vector> DirectorFrames::gradients(const Vector &q) const
{
  std::vector<Vector> all(most_pairs, space->new_vector());
  for (const Node &node : owned)
  {
    const Frame d = node.present(q);
    for (int a = 0; a < node.pairs(); ++a)
    {
      Multipliers one{};
      one[a] = 1.;
      node.add(node.combine(one, d), all[a]);
    }
  }
  return all;
}

namespace
{
DirectorNode::Columns columns_of(const DirectorNode &node, const std::vector<Vector> &motions)
{
  DirectorNode::Columns X{};
  for (int a = 0; a < node.pairs(); ++a)
    X[a] = node.of(motions[a]);
  return X;
}

void add_force(const DirectorNode &node, const DirectorNode::Multipliers &lambda, const std::vector<Vector> &forces, Vector &force)
{
  for (int a = 0; a < node.pairs(); ++a)
  {
    DirectorNode::Frame f = node.of(forces[a]);
    for (DirectorNode::Frame::value_type &one : f)
      for (double &value : one)
        value *= lambda[a];
    node.add(f, force);
  }
}
}  // namespace

void DirectorFrames::find_impulse(const Impulses &of_from, const Vector &end, Vector &force) const
{
  force = 0.;
  std::string fault;
  for (const Node &node : owned)
    if (const auto lambda = node.impulse(node.present(end), columns_of(node, of_from.motions)))
      add_force(node, *lambda, of_from.forces, force);
    else
      fault = name_of(node) + too_far();
  throw_collectively<ComputationError>(fault, space->communicator());
}

void DirectorFrames::find_rate_impulse(const Impulses &of_from, const Vector &q, const Vector &x, Vector &force,
                                       const Bending *bending) const
{
  force = 0.;
  for (const Node &node : owned)
  {
    const Frame d = node.present(q);
    Multipliers b = node.slopes(d, node.of(x));
    const Multipliers c = bending ? node.slopes(node.of(bending->v), node.of(bending->u)) : Multipliers{};
    for (int a = 0; a < node.pairs(); ++a)
      b[a] = -b[a] - c[a];
    add_force(node, node.impulse_of_rates(d, columns_of(node, of_from.motions), b), of_from.forces, force);
  }
}
}  // namespace symdyn
