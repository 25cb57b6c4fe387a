#include "solver/program/commands.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "solver/base/names.h"
#include "solver/deck/deck.h"
#include "solver/error.h"
#include "solver/run/run.h"

namespace symdyn
{
namespace
{
using Schema = nlohmann::ordered_json;

std::string as_markdown(const std::vector<Declaration> &declarations)
{
  std::map<std::string, std::string> tables;
  for (const Declaration &d : declarations)
  {
    const auto cell = [](std::string text) {
      for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2)
        text.insert(i, "\\");
      return text;
    };
    tables[d.path] +=
        fmt::format("| `{}` | {} | {} | {} |\n", d.name, d.fallback.empty() ? "" : "`" + d.fallback + "`", cell(d.rule), cell(d.help));
  }
  std::string text;
  for (const auto &[path, rows] : tables)
    text += fmt::format("## {}\n\n| entry | default | rule | meaning |\n| --- | --- | --- | --- |\n{}\n",
                        path.empty() ? "(top level)" : path, rows);
  return text;
}

std::string as_json(const std::vector<Declaration> &declarations)
{
  nlohmann::json list = nlohmann::json::array();
  for (const Declaration &d : declarations)
    list.push_back(
        {{"path", d.path.empty() ? d.name : d.path + "/" + d.name}, {"default", d.fallback}, {"rule", d.rule}, {"help", d.help}});
  return list.dump(2) + "\n";
}

/// A value of a JSON deck: a text, or what stands for one.
Schema value_of(const Declaration &d)
{
  const std::string one_of = "one of ";  // of structures there are others: a list offers, and does not refuse
  Schema json = {{"description", d.help + (d.rule.empty() ? "" : " (" + d.rule + ")")}};
  if (d.rule.rfind(one_of, 0) == 0)
    json["anyOf"] = {{{"enum", split(d.rule.substr(one_of.size()), ',')}}, {{"type", "string"}}};
  else
    json["type"] = {"string", "number", "boolean", "array"};
  if (!d.fallback.empty())
    json["default"] = d.fallback;
  return json;
}

/// <name> stands for sections that users name.
std::string as_schema(const std::vector<Declaration> &declarations)
{
  Schema schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "A deck of symdyn"}, {"type", "object"}};
  for (const Declaration &d : declarations)
  {
    Schema *section = &schema;
    for (const std::string &part : split(d.path, '/'))
    {
      section = part == "<name>" ? &(*section)["additionalProperties"] : &(*section)["properties"][part];
      (*section)["type"] = "object";
    }
    (*section)["properties"][d.name] = value_of(d);
  }
  Schema &stage = schema["properties"]["Stages"]["additionalProperties"]["properties"];
  for (const char *own : {"Time", "Integrator"})  // a stage may have its own
    stage[own] = schema["properties"][own];
  const std::function<void(Schema &)> close = [&](Schema &section) {  // nothing else may stand there
    if (const auto type = section.find("type"); type == section.end() || *type != "object")
      return;
    if (!section.contains("additionalProperties"))
      section["additionalProperties"] = false;
    else if (section["additionalProperties"].is_object())
      close(section["additionalProperties"]);
    if (section.contains("properties"))
      for (auto &inner : section["properties"])
        close(inner);
  };
  close(schema);
  return schema.dump(2) + "\n";
}

/// Nested sections as a tree, so that each is opened once.
struct PrmSection
{
  std::string entries;
  std::map<std::string, PrmSection> inner;
};

void print(const PrmSection &section, const std::string &indent, std::string &text)
{
  text += section.entries;
  for (const auto &[name, inner] : section.inner)
  {
    text += indent + "subsection " + name + "\n";
    print(inner, indent + "  ", text);
    text += indent + "end\n";
  }
}

std::string as_prm(const std::vector<Declaration> &declarations)
{
  PrmSection root;
  for (const Declaration &d : declarations)
  {
    PrmSection *section = &root;
    std::string indent;
    for (const std::string &part : split(d.path, '/'))
    {
      section = &section->inner[part];
      indent += "  ";
    }
    section->entries +=
        fmt::format("{0}# {1}{2}\n{0}# set {3} = {4}\n", indent, d.help, d.rule.empty() ? "" : "; " + d.rule, d.name, d.fallback);
  }
  std::string text;
  print(root, "", text);
  return text;
}

}  // namespace

std::string deck_reference(const ReferenceFormat format)
{
  Deck deck;
  Run::document(deck.root());
  switch (format)
  {
    case ReferenceFormat::markdown:
      return as_markdown(deck.declarations());
    case ReferenceFormat::json:
      return as_json(deck.declarations());
    case ReferenceFormat::schema:
      return as_schema(deck.declarations());
    case ReferenceFormat::prm:
      return as_prm(deck.declarations());
  }
  return "";
}
}  // namespace symdyn
