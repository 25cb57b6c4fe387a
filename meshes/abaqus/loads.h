#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;
struct Step;

/// Where a load acts: components of nodes, faces by their nodes, elements.
struct Region
{
  std::string sort, word;  ///< "CLOAD", "DLOAD faces", "DLOAD GRAV 0, 0, -1": what takes the place of each other,
                           ///< the first word is the kind that OP=NEW ends; as the file names it
  std::size_t line;
  std::set<std::array<std::size_t, 4>> places = {};
  std::vector<double> components = {};  ///< of a force
  bool varies = false;                  ///< has an amplitude
  /// Its key in Step::loads.
  std::string on() const;
};
struct Loads
{
  std::vector<Region> acting, begun;                                         ///< of earlier steps, of the present one
  std::map<std::array<std::size_t, 4>, std::vector<std::size_t>> acting_at;  ///< place: which of `acting`
  std::map<std::string, std::size_t> acting_on;                              ///< key: which of `acting`
};

/// The options of cards of loads.
extern const std::set<std::string> options_of_loads;
/// What all cards of loads say: OP, LOAD CASE, amplitudes. Errors: InputError where a step cannot have them. `ends`: "CLOAD", which loads
/// end by OP=NEW.
void begin_card(Job &job, const Keyword &card, Step &step, const std::string &ends);
/// The load of this name ("": none, its value is 0) acts from this step on in place of those of earlier steps in the same places; in one
/// step loads add up. Errors: InputError if it takes the place of a part of an earlier load.
void begin_load(Job &job, const Keyword &card, Step &step, Region region, const std::string &name);

/// The same components on all of these nodes and sets, along the axes of each node. Returns the names of the loads.
std::string write_nodal_forces(Job &job, const Keyword &card, const Step &step, std::size_t line, const std::string &on,
                               const std::vector<std::string> &nodes, const std::vector<double> &components);
/// On boundaries by name.
void pressure(Job &job, const Keyword &card, const Line &line, const std::vector<std::string> &boundaries, double p, Step &step);
/// P1NP: what *BOUNDARY prescribes as component 2 of a node of no element (node_pressure.cc).
void pressure_of_node(Job &job, const Keyword &card, const Line &line, const std::string &face, Step &step);

/// "P1" to "P6" of the label of a *DLOAD: P1, or P1NP, the pressure at a node; "" of others.
std::string pressed_face(const std::string &label);
/// The boundary that *DLOAD with a label P1, P2, ... on elements means.
std::string pressed(const std::string &elements, const std::string &label);
/// Loads and supports that name nothing.
void warn_if_empty(Job &job, const Keyword &card);
}  // namespace symdyn::abaqus
