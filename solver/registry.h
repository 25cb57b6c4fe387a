#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
/// Names that were registered again, by whatever was loaded since this was emptied: the first implementation stays.
inline std::vector<std::string> &registered_again()
{
  static std::vector<std::string> names;
  return names;
}

/// All implementations of an interface `T`, by the name a deck uses. A file registers its own class with
/// SYMDYN_REGISTER; no list of names exists anywhere else.
template <class T>
class Registry
{
public:
  using Make = std::function<std::unique_ptr<T>()>;

  static Registry &instance()
  {
    static Registry registry;
    return registry;
  }

  /// False if the name is taken; it is then noted in registered_again(). Nothing is thrown while a library loads.
  bool add(const std::string &name, Make make)
  {
    const bool first = makers.emplace(name, std::move(make)).second;
    if (!first)
      registered_again().push_back(name);
    return first;
  }

  bool has(const std::string &name) const { return makers.count(name) > 0; }

  std::unique_ptr<T> make(const std::string &name) const
  {
    const auto found = makers.find(name);
    if (found == makers.end())
      throw InputError("'" + name + "' is not known; there are: " + join(nearest_first(name, names())));
    return found->second();
  }

  /// In alphabetical order.
  std::vector<std::string> names() const
  {
    std::vector<std::string> all;
    for (const auto &entry : makers)
      all.push_back(entry.first);
    return all;
  }

private:
  std::map<std::string, Make> makers;
};
}  // namespace symdyn

#define SYMDYN_JOIN_(a, b) a##b
#define SYMDYN_JOIN(a, b) SYMDYN_JOIN_(a, b)
/// SYMDYN_REGISTER(Interface, Implementation, "deck-name"); at the end of the implementation's .cc.
#define SYMDYN_REGISTER(Interface, Implementation, name)           \
  static const bool SYMDYN_JOIN(symdyn_registered_, __COUNTER__) = \
      ::symdyn::Registry<Interface>::instance().add(name, [] { return std::unique_ptr<Interface>(new Implementation); })
