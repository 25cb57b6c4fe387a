#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *SHELL SECTION and *BEAM SECTION.
namespace symdyn::abaqus
{
namespace
{
/// Errors: InputError for elements of the set that are no beams, or no shells.
std::vector<std::size_t> elements_of_section(const Job &job, const Keyword &card, const Shape line_or_cell)
{
  const std::vector<std::size_t> elements = job.model.elements_named(card);
  for (const std::size_t e : elements)
    if (!is_thin(job.model.types[e]) || (job.model.mesh.elements[e].shape == Shape::line) != (line_or_cell == Shape::line))
      job.fail(card.line, "*" + card.name,
               fmt::format("element {} of its set is of type {}. Make a set of {} alone.", job.model.mesh.elements[e].number,
                           job.model.types[e], line_or_cell == Shape::line ? "beams" : "shells"));
  return elements;
}

/// A section in the terms of the deck.
struct Profile
{
  std::string section;
  std::vector<double> size;
  std::array<double, 2> extent;  ///< along axes 1 and 2 [m]
  double shift = 0;              ///< of the centroid from the origin of the profile along axis 2 [m]
};

/// h, b1, b2, t1, t2, t3 with the origin l above the bottom: height, flanges below and above, their walls, the web.
Profile i_profile(const std::vector<double> &s)
{
  const double l = s[0], h = s[1], b1 = s[2], b2 = s[3], t1 = s[4], t2 = s[5], t3 = s[6], web = h - t1 - t2,
               area = b1 * t1 + b2 * t2 + web * t3,
               centroid = (b1 * t1 * 0.5 * t1 + b2 * t2 * (h - 0.5 * t2) + web * t3 * (t1 + 0.5 * web)) / area;
  return {"i", {h, b1, t1, b2, t2, t3}, {std::max(b1, b2), h}, centroid - l};
}

/// One or two diameters, as in CalculiX. J = pi a³ b³/(a² + b²) of an ellipse with half axes a, b.
Profile circle_profile(Job &job, const Line &line, const std::vector<double> &s)
{
  if (s.size() == 1)
    job.out.warn(line.number, join(line.words),
                 "is the diameter of the circle, as in CalculiX; in Abaqus it is the radius: there give twice as much");
  if (s.front() == s.back())
    return {"circle", {0.5 * s[0]}, {s[0], s[0]}};
  const double a = 0.5 * s[0], b = 0.5 * s[1], area = M_PI * a * b, k = 0.9;
  return {"general", {area, 0.25 * area * a * a, 0.25 * area * b * b, 0., area * a * a * b * b / (a * a + b * b), k, k}, {s[0], s[1]}};
}

Profile profile_of(Job &job, const Keyword &card, const Line &line)
{
  std::vector<double> s;
  for (std::size_t i = 0; i < line.words.size(); ++i)
    if (const std::string word = job.word(line, i); !word.empty())
    {
      s.push_back(job.real(line, i, "a size of the section"));
      if (s.back() < 0.)
        job.fail(line.number, word, "a size of a section is not negative.");
    }
  const std::string kind = upper(job.model.required(card, "SECTION"));
  const std::map<std::string, std::vector<std::size_t>> counts{{"RECT", {2, 1}}, {"CIRC", {1, 2}}, {"PIPE", {2}}, {"BOX", {6}}, {"I", {7}}};
  const auto count = counts.find(kind);
  if (count == counts.end())
    job.fail(card.line, "SECTION=" + card.option("SECTION"), "the sections are RECT, CIRC, PIPE, BOX and I.");
  if (std::find(count->second.begin(), count->second.end(), s.size()) == count->second.end())
    job.fail(line.number, join(line.words), fmt::format("SECTION={} has {} sizes here.", kind, count->second.front()));
  if (kind == "RECT")
    return {"rectangle", {s.front(), s.back()}, {s.front(), s.back()}};
  if (kind == "CIRC")
    return circle_profile(job, line, s);
  if (kind == "PIPE")
    return {"pipe", s, {2. * s[0], 2. * s[0]}};
  if (kind == "I")
    return i_profile(s);
  if (s[2] != s[4] || s[3] != s[5])
    job.fail(line.number, join(line.words),
             "opposite walls of a box are equally thick here: the third and the fifth size, the fourth and the sixth.");
  return {"box", {s[0], s[1], s[2], s[3]}, {s[0], s[1]}};
}

class ThinSections : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"SHELL SECTION", Where::model, Options{"ELSET", "MATERIAL", "OFFSET", "ORIENTATION", "COMPOSITE", "NODAL THICKNESS"}, 1},
            {"BEAM SECTION", Where::model, Options{"ELSET", "MATERIAL", "SECTION", "OFFSET1", "OFFSET2"}, 2}};
  }
  Turn turn() const override { return Turn::materials; }
  void read_mesh(Model &model, const Keyword &card) override { model.sections.push_back({model.required(card, "ELSET"), {}, card.line}); }
  void begin(Job &job) override;
  void write(Job &job) override;

private:
  void write_shell(Job &job, const Keyword &card);
  void write_beam(Job &job, const Keyword &card);
  void write_common(Job &job, const Keyword &card, const std::string &path) const;
  static bool is_section(const Keyword &card) { return card.name == "SHELL SECTION" || card.name == "BEAM SECTION"; }
};
SYMDYN_REGISTER(Translator, ThinSections, "thin sections");

void ThinSections::begin(Job &job)
{
  for (const Keyword &card : job.before)
    if (is_section(card))
    {
      give_properties(job, card);
      require_material(job, card);
      job.materials.thin[upper(card.option("MATERIAL"))].groups.push_back(card.option("ELSET"));
    }
  for (std::size_t e = 0; e < job.model.types.size() && job.thin; ++e)
    if (const FileElement &element = job.model.mesh.elements[e]; job.is_cell(e) && !job.with_properties.count(e))
      job.fail(element.line, fmt::format("element {} (TYPE={})", element.number, job.model.types[e]),
               fmt::format("has no section. Add *{} SECTION with an ELSET that has it.", element.shape == Shape::line ? "BEAM" : "SHELL"));
}

void ThinSections::write(Job &job)
{
  for (const Keyword &card : job.before)
    if (is_section(card))
      card.name == "SHELL SECTION" ? write_shell(job, card) : write_beam(job, card);
}

void ThinSections::write_common(Job &job, const Keyword &card, const std::string &path) const
{
  const Set *set = find_set(job.model.element_sets, card.option("ELSET"));
  job.out.add(card.line, path, "Groups", set ? set->name : card.option("ELSET"));
  job.out.add(card.line, path, "Material", job.materials.thin.at(upper(card.option("MATERIAL"))).name);
  if (!job.nonlinear)
    job.out.add(card.line, path, "Geometry", "linear");
  if (job.damping.stiffness != 0. &&
      std::any_of(job.steps.begin(), job.steps.end(), [](const Step &s) { return s.procedure == "DYNAMIC"; }))
    job.out.add(job.damping.line, path, "Stiffness damping", written(job.damping.stiffness));
}

void ThinSections::write_shell(Job &job, const Keyword &card)
{
  elements_of_section(job, card, Shape::quadrilateral);
  for (const char *option : {"COMPOSITE", "NODAL THICKNESS"})
    if (card.has(option))
      job.fail(card.line, fmt::format("*SHELL SECTION, {}", option),
               "is not read. Write a .prm deck with Shells of Layers, or of a formula of Thickness.");
  const Line &line = job.only_line(card, "the thickness");
  const double thickness = job.real(line, 0, "the thickness");
  if (thickness <= 0.)
    job.fail(line.number, job.word(line, 0), "a thickness is > 0.");
  job.real_or(line, 1, 0., "the number of points of integration");  // the thickness is integrated exactly
  const std::string path = "Shells/" + job.out.fresh("Shells", card.option("ELSET"));
  write_common(job, card, path);
  job.out.add(line.number, path, "Thickness", written(thickness));
  const double offset = card.has("OFFSET") ? job.model.real({card.line, {}}, card.option("OFFSET"), "OFFSET") : 0.;
  if (offset != 0.)
    job.out.add(card.line, path, "Offset", written(-offset));  // of the middle surface from the nodes
  if (card.has("ORIENTATION"))
  {
    const std::vector<double> axes = points_of_axes(job, orientation_of(job, card));
    job.out.add(card.line, path, "Direction", written({axes.begin(), axes.begin() + 3}));
  }
}

void ThinSections::write_beam(Job &job, const Keyword &card)
{
  const std::vector<std::size_t> elements = elements_of_section(job, card, Shape::line);
  if (card.data.empty())
    job.fail(card.line, "*BEAM SECTION", "needs a line with the sizes of the section, and one with the direction of axis 1.");
  const Profile profile = profile_of(job, card, card.data[0]);
  std::vector<double> direction{0., 0., -1.};
  for (std::size_t d = 0; d < direction.size() && card.data.size() > 1; ++d)
    direction[d] = job.real_or(card.data[1], d, 0., "a component of axis 1");
  const std::string path = "Beams/" + job.out.fresh("Beams", card.option("ELSET"));
  write_common(job, card, path);
  const std::string type = elements.empty() ? "B31" : job.model.types[elements.front()].substr(0, 3);
  for (const std::size_t e : elements)
    if (job.model.types[e].substr(0, 3) != type)
      job.fail(card.line, "*BEAM SECTION", "its set has elements B31 and B32. Make a set of each.");
  job.out.add(card.line, path, "Type", type);
  job.out.add(card.data.back().number, path, "Direction", written(direction));
  job.out.add(card.data[0].number, path, "Section", profile.section);
  job.out.add(card.data[0].number, path, "Size", written(profile.size));
  std::vector<double> offset{0., profile.shift};
  for (const int axis : {0, 1})
    if (const std::string option = fmt::format("OFFSET{}", axis + 1); card.has(option))
      offset[axis] -= profile.extent[axis] * job.model.real({card.line, {}}, card.option(option), option.c_str());
  if (offset[0] != 0. || offset[1] != 0.)
    job.out.add(card.line, path, "Offset", written(offset));
}
}  // namespace
}  // namespace symdyn::abaqus
