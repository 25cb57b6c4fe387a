#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "elements/solids/material_in_use.h"
#include "materials/inelastic.h"

namespace symdyn
{
/// What the laws of a body remember, as scalars for files: "p", "plastic_strain_11", ... of all laws together; 0 where a law does not have
/// one.
class RememberedFields
{
public:
  explicit RememberedFields(const std::map<unsigned int, MaterialInUse> &materials)
  {
    for (const auto &[id, use] : materials)
      if (const InelasticMaterial *law = inelastic(*use.law))
        for (const std::string &name : scalars(*law))
          if (std::count(all.begin(), all.end(), name) == 0)
            all.push_back(name);
  }
  const std::vector<std::string> &names() const { return all; }
  /// Of a law at a point; nullptr: an elastic one.
  std::vector<double> values(const InelasticMaterial *law, const Wide *m) const
  {
    std::vector<double> r(all.size(), 0.);
    if (!law)
      return r;
    const std::vector<std::string> own = scalars(*law);
    std::vector<Wide> shown(own.size());
    law->show(m, shown.data());
    for (std::size_t k = 0; k < own.size(); ++k)
      r[std::find(all.begin(), all.end(), own[k]) - all.begin()] = shown[k][0];
    return r;
  }

private:
  static std::vector<std::string> scalars(const InelasticMaterial &law)
  {
    std::vector<std::string> names;
    for (const Remembered &one : law.remembered())
      for (const char *component : {"11", "22", "33", "12", "13", "23"})
      {
        names.push_back(one.components == 1 ? one.name : one.name + "_" + component);
        if (one.components == 1)
          break;
      }
    return names;
  }

  std::vector<std::string> all;
};
}  // namespace symdyn
