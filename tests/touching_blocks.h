#pragma once
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>

#include "elements/contact/touching.h"
#include "solver/searching.h"
#include "tests/blocks.h"
#include "tests/bodies.h"
#include "tests/run.h"

// Two blocks whose faces x = 1 and x = 1 + gap look at each other, as an assembled system.
namespace symdyn::tests
{
struct TouchingChoice
{
  std::string name;
  std::string mesh = "", side = "inside";
  int dim = 3;
  std::array<double, 2> aside{0.037, 0.011};  ///< places where no point is so near to an edge that differences pass it
  std::string pairing = "points", of_contact = "";
  static constexpr double layer = 0.1;
  bool of_nodes() const { return pairing == "nodes"; }
};

/// Two blocks with cells of different size, whose faces x = 1 and x = 1 + gap look at each other.
template <int dim>
struct TouchingBlocks
{
  explicit TouchingBlocks(const TouchingChoice &choice, const double gap = 0., const std::string &more = "", const double shift = 0.)
  {
    const int in_space = dim == 3 ? 1 : 0;
    Blocks({{{0., 0., 0.}, {1., 1., 1.}, {2, 2, 2 * in_space}}, {{1. + gap, shift, shift * in_space}, {1., 1., 1.}, {2, 3, 3 * in_space}}})
        .write(folder / "two.msh");
    const std::string material = "set Type = st-venant-kirchhoff\nset Density = 3\nset E = 1000\nset nu = 0.3";
    body = std::make_unique<Body<dim>>(
        subsection("Mesh", fmt::format("set Type = file\nset File = {}\n{}", folder / "two.msh", choice.mesh)) +
        subsection("Materials", subsection("first", material) + subsection("second", material)) +
        subsection("Contact", subsection("touch", fmt::format("set Between = first-x+, second-x-\nset Stiffness = 4e3\nset Layer = {}\n"
                                                              "set Side = {}\nset Points = {}\nset Pairing = {}\n{}",
                                                              TouchingChoice::layer, choice.side, choice.of_nodes() ? "nodes" : "2",
                                                              choice.of_nodes() ? "points" : choice.pairing, choice.of_contact))) +
        more);
    for (const auto &one : body->system().all_parts().terms)
      if (const auto *touching = dynamic_cast<const TouchingTerm *>(one.get()))
        term = touching;
  }
  const AssembledSystem &system() const { return body->system(); }
  /// The second block goes by `way`.
  Vector moved_second(const std::array<double, 3> &way, const double gap) const
  {
    Vector q = body->mesh().new_vector();
    for (int node = 0; node < body->mesh().n_owned_nodes(); ++node)
      for (int d = 0; d < dim && body->mesh().position[node][0] > 1. + 0.5 * gap; ++d)
        q.local_element(dim * node + d) = way[d];
    q.update_ghost_values();
    return q;
  }

  Folder folder;
  std::unique_ptr<Body<dim>> body;
  const TouchingTerm *term = nullptr;
};

/// The second block comes into the layer, and both are bent a little.
template <int dim>
Vector bent(const TouchingBlocks<dim> &two, const double apart, const double depth, const std::array<double, 2> &aside = {0.037, 0.011})
{
  Vector q = two.moved_second({-apart - depth, aside[0], aside[1]}, apart);
  q += Random(1).vector(q, 0.004);
  q.update_ghost_values();
  search_about(two.system(), q);
  return q;
}
}  // namespace symdyn::tests
