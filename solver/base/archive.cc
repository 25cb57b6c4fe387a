#include "solver/archive.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "solver/base/archive_content.h"
#include "solver/error.h"

// Names and values; files: archive_file.cc.
namespace symdyn
{
nlohmann::json exact(const double value)
{
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(std::isnan(value) ? "nan" : value > 0. ? "inf" : "-inf");
}

nlohmann::json exact(const std::vector<double> &values)
{
  nlohmann::json all = nlohmann::json::array();
  for (const double value : values)
    all.push_back(exact(value));
  return all;
}

double from_exact(const nlohmann::json &value)
{
  if (value.is_number())
    return value.get<double>();
  const std::string text = value.get<std::string>();
  return text == "nan" ? std::numeric_limits<double>::quiet_NaN() : (text == "inf" ? 1. : -1.) * std::numeric_limits<double>::infinity();
}

namespace
{
template <class T>
struct ArchivedValue
{
  static nlohmann::json to(const T &value) { return value; }
  static T from(const nlohmann::json &value) { return value.get<T>(); }
};

template <>
struct ArchivedValue<double>
{
  static nlohmann::json to(const double value) { return exact(value); }
  static double from(const nlohmann::json &value) { return from_exact(value); }
};

template <>
struct ArchivedValue<std::vector<double>>
{
  static nlohmann::json to(const std::vector<double> &values) { return exact(values); }
  static std::vector<double> from(const nlohmann::json &all)
  {
    std::vector<double> values;
    for (const nlohmann::json &value : all)
      values.push_back(from_exact(value));
    return values;
  }
};

[[noreturn]] void no_such_part(const std::string &file, const std::string &what)
{
  throw InputError(fmt::format("{}: {}: it was written by another version of the program or of a plugin. Run again from the deck",
                               file.empty() ? "checkpoint" : file, what));
}
}  // namespace

Archive::Archive() : content(std::make_shared<Content>()) {}

Archive Archive::section(const std::string &name) { return {content, prefix + name + "/"}; }
const Archive Archive::section(const std::string &name) const { return {content, prefix + name + "/"}; }

bool Archive::has(const std::string &name) const
{
  const std::string path = prefix + name;
  const bool in_file = content->layout.contains("blocks") && content->layout.at("blocks").contains(path);
  return content->values.contains(path) || content->vectors.count(path) > 0 || content->blocks.count(path) > 0 || in_file;
}

const nlohmann::json &Archive::value(const std::string &name) const
{
  const auto found = content->values.find(prefix + name);
  if (found == content->values.end())
    no_such_part(content->file, fmt::format("has no value \"{}{}\"", prefix, name));
  return *found;
}

template <class T>
void Archive::put(const std::string &name, const T &value)
{
  content->values[prefix + name] = ArchivedValue<T>::to(value);
}

template <class T>
T Archive::get(const std::string &name) const
{
  try
  {
    return ArchivedValue<T>::from(value(name));
  }
  catch (const nlohmann::json::exception &)
  {
    no_such_part(content->file, fmt::format("the value \"{}{}\" is of another type", prefix, name));
  }
}

#define SYMDYN_ARCHIVED(...)                                                     \
  template void Archive::put(const std::string &name, const __VA_ARGS__ &value); \
  template __VA_ARGS__ Archive::get(const std::string &name) const;
SYMDYN_ARCHIVED(bool)
SYMDYN_ARCHIVED(int)
SYMDYN_ARCHIVED(long)
SYMDYN_ARCHIVED(unsigned int)
SYMDYN_ARCHIVED(std::size_t)
SYMDYN_ARCHIVED(double)
SYMDYN_ARCHIVED(std::string)
SYMDYN_ARCHIVED(std::vector<bool>)
SYMDYN_ARCHIVED(std::vector<long>)
SYMDYN_ARCHIVED(std::vector<double>)
SYMDYN_ARCHIVED(std::vector<std::string>)
#undef SYMDYN_ARCHIVED

void Archive::put_json(const std::string &name, const nlohmann::json &value) { content->values[prefix + name] = value; }
nlohmann::json Archive::get_json(const std::string &name) const { return value(name); }

void Archive::put(const std::string &name, const Vector &x) { content->vectors[prefix + name] = x; }

template <>
Vector Archive::get<Vector>(const std::string &name) const
{
  const auto found = content->vectors.find(prefix + name);
  if (found == content->vectors.end())
    no_such_part(content->file, fmt::format("has no vector \"{}{}\"", prefix, name));
  return found->second;
}

void Archive::put(const std::string &name, const State &state)
{
  Archive here = section(name), memory = here.section("memory");
  here.put("t", state.t);
  here.put("n", std::size_t(state.n));
  here.put("q", state.q);
  here.put("v", state.v);
  here.put("a", state.a);
  std::vector<std::string> names;
  for (const auto &[part, x] : state.memory)
  {
    names.push_back(part);
    memory.put(part, x);
  }
  here.put("memory", names);
}

template <>
State Archive::get<State>(const std::string &name) const
{
  const Archive here = section(name), memory = here.section("memory");
  State state;
  here.get("t", state.t);
  state.n = here.get<std::size_t>("n");
  here.get("q", state.q);
  here.get("v", state.v);
  here.get("a", state.a);
  for (const std::string &part : here.get<std::vector<std::string>>("memory"))
    memory.get(part, state.memory[part]);
  return state;
}

void Archive::put_blocks(const std::string &name, const std::vector<std::uint64_t> &identities, const std::size_t doubles_per_block,
                         const std::vector<double> &values)
{
  if (values.size() != identities.size() * doubles_per_block)
    throw std::logic_error(
        fmt::format("archive: {}{}: {} values for {} blocks of {}", prefix, name, values.size(), identities.size(), doubles_per_block));
  content->blocks[prefix + name] = {doubles_per_block, identities, values};
}
}  // namespace symdyn
