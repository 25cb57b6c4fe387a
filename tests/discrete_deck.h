#pragma once
#include <string>
#include <vector>

#include "elements/models/discrete.h"
#include "solver/deck/deck.h"

/// Points and bars as a deck describes them, for tests.
namespace symdyn::tests
{
/// Decks of papers and their files.
inline const std::string folder_of_papers = SYMDYN_SOURCE "/decks/papers/";

/// The sections Points, Bars, Dashpots, Forces, Potentials, Linear solver of a deck, without time and scheme.
struct DiscreteDeck
{
  explicit DiscreteDeck(const std::string &text) : deck(Deck::from_text(text, "test.prm"))
  {
    Parameters root = deck.root();
    structure.declare(root);
    deck.finish();
    structure.build();
  }
  MechanicalSystem &system() { return structure.system(); }
  /// Position and velocity of the deck, a = 0.
  State start() const
  {
    State state;
    structure.initialise(state);
    return state;
  }

  Deck deck;
  Discrete structure;
};

/// One point of mass 1 at (1, 0) with velocity (0.5, 0.6) in V = s (s - 1)^2, s = x^2 + y^2, and a dashpot c (Kane et al. 1999, sect. 4).
inline std::string ring_well_deck(const std::string &c = "")
{
  return "subsection Points\nset Dimension = 2\nsubsection bob\nset Mass = 1\nset Position = 1, 0\nset Velocity = 0.5, 0.6\nend\nend\n"
         "subsection Potentials\nsubsection well\nset Expression = (x^2 + y^2)*(x^2 + y^2 - 1)^2\nend\nend\n" +
         (c.empty() ? "" : "subsection Dashpots\nsubsection drag\nset Points = bob\nset Coefficient = " + c + "\nend\nend\n");
}

/// Penalised double pendulum, masses (1, 2), omega = 2, L² = 1 and 2, V = y1 + y2 + penalties, which are the stiff part (Tao and Owhadi
/// 2015, sect. 4.1, with unequal masses).
inline std::string pendulum_deck()
{
  return "subsection Points\nset Dimension = 2\n"
         "subsection upper\nset Mass = 1\nset Position = 0.3, -1.1\nset Velocity = 0.2, -0.1\nend\n"
         "subsection lower\nset Mass = 2\nset Position = 1.2, -2.1\nset Velocity = 0.3, 0.4\nend\nend\n"
         "subsection Bars\n"
         "subsection first\nset From = upper\nset To = ground\nset Anchor = 0, 0\nset Law = squared\nset Stiffness = 4\nset Length = 1\nset Stiff = "
         "yes\nend\n"
         "subsection second\nset From = upper\nset To = lower\nset Law = squared\nset Stiffness = 4\nset Length = 1.4142135623730951\nset Stiff = "
         "yes\nend\nend\n"
         "subsection Potentials\nsubsection weight\nset Expression = upper.y + lower.y\nend\nend\n";
}

/// Five points of unlike masses in space, as a section; the last three are a group.
inline const std::string cloud =
    "subsection Points\n"
    "subsection a\nset Mass = 1\nset Position = 0, 0, 0\nset Velocity = 0.3, -0.1, 0.2\nend\n"
    "subsection b\nset Mass = 3\nset Position = 1.1, 0.1, 0\nset Velocity = 0, 0.4, 0.1\nend\n"
    "subsection row\nset Count = 3\nset Mass = 0.5\nset Position = i, 1.2 - 0.3*i, 0.7 + 0.5*i^2\nset Velocity = 0.1*y, 0, i\nend\nend\n";

/// A section of one subsection.
inline std::string section(const std::string &kind, const std::string &entries)
{
  return "subsection " + kind + "\nsubsection one\n" + entries + "end\nend\n";
}
}  // namespace symdyn::tests
