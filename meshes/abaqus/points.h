#pragma once
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;

/// A node that is a point of the deck: no cell has it, or a spring, a mass or an equation names it.
struct PointUse
{
  std::size_t line;
  double mass = 0;
  bool joined = false;                  ///< to springs, bars or dashpots
  std::array<bool, 3> stiff{};          ///< springs and bars hold it along this component
  std::array<std::size_t, 3> forced{};  ///< lines of forces that act along it; 0: none
  std::array<bool, 3> in_equation{};
};
struct Points
{
  std::map<std::size_t, PointUse> used;                                       ///< by node
  std::vector<bool> in_body;                                                  ///< nodes of cells
  std::array<bool, 3> spanned{};                                              ///< springs and bars go along this direction
  std::map<std::string, std::map<std::size_t, std::array<double, 3>>> start;  ///< "Velocity", "Displacement" of files without cells
};

/// Whether no cell has the node.
bool is_outer(const Job &job, std::size_t node);
/// "n12", a point of the deck from now on.
std::string point(Job &job, std::size_t node, std::size_t line);

/// An *EQUATION, or what amounts to one.
struct Equation
{
  std::string name;
  std::size_t node;  ///< of the first term
  int component;
  std::size_t gone;  ///< the step in which it holds no more
};
struct Term
{
  std::size_t node;
  int component;
  double factor;
};
/// Sum of c u = 0 along the axes of the nodes, from the first step on; one more of job.equations.
void write_equation(Job &job, const std::vector<Term> &terms, std::size_t line);

/// Elements of a section that are of these types. Errors: InputError for others, unless it may be a section of cells.
std::vector<std::size_t> elements_of_types(const Job &job, const Keyword &card, const std::vector<std::string> &types);
/// Notes that these elements have properties.
void give_properties(Job &job, const Keyword &card);
/// Entries From and To of an element of two nodes.
void join_ends(Job &job, std::size_t element, const std::string &path);

/// Fixed, Free and Motion of a node that no cell has, of what *BOUNDARY holds of it; `stands`: components that nothing moves. Whether some
/// is left free. Errors: InputError where it has axes of its own and is held in part.
bool write_held_point(Job &job, std::size_t node, const std::string &path, const std::function<bool(int)> &stands);
// Files without cells (discrete.cc): a point of a discrete structure, which supports hold or move along some components.
void write_alone(Job &job, std::size_t node, const std::string &path);
/// The start of a component of nodes; a warning for those where it has no effect.
void start_alone(Job &job, const Line &line, const std::string &name, const std::set<std::size_t> &nodes, int component);
[[noreturn]] void refuse_without_cells(const Job &job, const Keyword &card, const std::string &why);
}  // namespace symdyn::abaqus
