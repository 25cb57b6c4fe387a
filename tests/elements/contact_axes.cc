// Axes of beams that touch: derivatives of the energy with surfaces, edges and vertices, of two axes, of axes beside their nodes.
#include <gtest/gtest.h>

#include <string>

#include "elements/contact/touching.h"
#include "solver/searching.h"
#include "tests/crossing_bars.h"
#include "tests/discrete_deck.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_contact_axes
{
std::string beam(const std::string &name, const std::string &from, const std::string &to, const std::string &more)
{
  return subsection(name, "set From = " + from + "\nset To = " + to +
                              "\nset Direction = 0, 0, 1\nset Section = circle\nset Size = 0.1\nset E = 1000\nset nu = 0.3\nset Density = "
                              "2\n" +
                              more);
}
std::string contact(const std::string &between)
{
  return subsection("Contact",
                    subsection("touch", "set Between = " + between + "\nset Stiffness = 4e5\nset Layer = 0.15\nset Side = outside"));
}

/// Where bodies press each other.
void expect_part_of_V(const AssembledSystem &system)
{
  const Vector q = random(system, 1, 0.002), w = random(system, 2, 0.002), a = random(system, 3, 0.002);
  search_about(system, q);
  const TouchingTerm *term = nullptr;
  for (const auto &one : system.all_parts().terms)
    if (const auto *touching = dynamic_cast<const TouchingTerm *>(one.get()))
      term = touching;
  ASSERT_NE(term, nullptr);
  EXPECT_GT(term->sums(q, nullptr).energy, 0.05 * system.potential(q));
  expect_derivatives(system, q, w, a, 0.02);
  expect_matrix_and_products(system, q, Random(5).vector(q, 1.), q);
}

/// A beam over two faces of a block, its edges and its corners. Elements are long: vertices and edges press it, too.
TEST(ContactAxes, OnABlockTheyAreAPartOfV)
{
  for (const char *more :
       {"set Elements = 1", "set Elements = 1\nset Type = B31", "set Elements = 4", "set Elements = 1\nset Offset = 0.03, 0.01"})
  {
    SCOPED_TRACE(more);
    const Body<3> body(
        subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 1\n" + subsection("box", "set Size = 1, 1, 0.2")) +
        subsection("Materials", subsection("soft", "set Type = st-venant-kirchhoff\nset Density = 3\nset E = 1000\nset nu = 0.3")) +
        subsection("Beams", beam("wire", "0.42, -0.3, 0.36", "0.58, 1.4, 0.38", more)) + contact("wire, z+"));
    expect_part_of_V(body.system());
  }
}

TEST(ContactAxes, OfTwoBeamsTheyAreAPartOfV)
{
  for (const char *more : {"set Elements = 1", "set Elements = 3", "set Elements = 2\nset Offset = 0.03, 0.01"})
  {
    SCOPED_TRACE(more);
    DiscreteDeck deck(
        subsection("Beams", beam("one", "0, 0, 0", "1, 0.1, 0", more) + beam("two", "0.3, -0.5, 0.27", "0.5, 0.6, 0.28", more)) +
        contact("one, two"));
    expect_part_of_V(dynamic_cast<const AssembledSystem &>(deck.system()));
  }
}
}  // namespace symdyn::tests::in_contact_axes
