#include "meshes/abaqus/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"

// Sections of beams: what a deck has for those of Abaqus and CalculiX.
namespace symdyn::abaqus
{
namespace
{
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

std::vector<double> sizes_of(const Job &job, const Line &line, const bool general)
{
  std::vector<double> sizes;
  for (std::size_t i = 0; i < line.words.size(); ++i)
    if (const std::string word = job.word(line, i); !word.empty())
    {
      sizes.push_back(job.real(line, i, "a size of the section"));
      if (sizes.back() < 0. && !general)
        job.fail(line.number, word, "a size of a section is not negative.");
    }
  return sizes;
}
}  // namespace

Profile profile_of(Job &job, const Keyword &card, const Line &line)
{
  const std::string kind = upper(job.model.required(card, "SECTION"));
  const std::vector<double> s = sizes_of(job, line, kind == "GENERAL");
  const std::map<std::string, std::vector<std::size_t>> counts{{"RECT", {2, 1}}, {"CIRC", {1, 2}}, {"PIPE", {2}},
                                                               {"BOX", {6}},     {"I", {7}},       {"GENERAL", {5}}};
  const auto count = counts.find(kind);
  if (kind == "GENERAL" && card.name != "BEAM GENERAL SECTION")
    job.fail(card.line, "SECTION=GENERAL",
             "is of *BEAM GENERAL SECTION: A, I11, I12, I22, J. In CalculiX the fifth number here is a shear factor.");
  if (count == counts.end())
    job.fail(card.line, "SECTION=" + card.option("SECTION"), "the sections are RECT, CIRC, PIPE, BOX, I and GENERAL.");
  if (std::find(count->second.begin(), count->second.end(), s.size()) == count->second.end())
    job.fail(line.number, join(line.words),
             fmt::format("SECTION={} has {} sizes here{}.", kind, count->second.front(), kind == "GENERAL" ? ": A, I11, I12, I22, J" : ""));
  if (kind == "RECT")
    return {"rectangle", {s.front(), s.back()}, {s.front(), s.back()}};
  if (kind == "CIRC")
    return circle_profile(job, line, s);
  if (kind == "PIPE")
    return {"pipe", s, {2. * s[0], 2. * s[0]}};
  if (kind == "I")
    return i_profile(s);
  if (kind == "GENERAL")
    return {"general", {s[0], s[3], s[1], s[2], s[4], 1., 1.}, {}};
  if (s[2] != s[4] || s[3] != s[5])
    job.fail(line.number, join(line.words),
             "opposite walls of a box are equally thick here: the third and the fifth size, the fourth and the sixth.");
  return {"box", {s[0], s[1], s[2], s[3]}, {s[0], s[1]}};
}
}  // namespace symdyn::abaqus
