#include "meshes/abaqus/translator.h"

#include <algorithm>

#include "solver/registry.h"

namespace symdyn::abaqus
{
Translators::Translators()
{
  const auto &registry = Registry<Translator>::instance();
  for (const std::string &name : registry.names())
  {
    all.push_back(registry.make(name));
    for (const KeywordRule &rule : all.back()->keywords())
    {
      of_keyword[rule.name].push_back({all.back().get(), rule});
      if (!std::count(names.begin(), names.end(), rule.name))
        names.push_back(rule.name);
    }
  }
}

const std::vector<Translators::Reader> &Translators::readers(const std::string &keyword) const
{
  static const std::vector<Reader> none;
  const auto found = of_keyword.find(keyword);
  return found == of_keyword.end() ? none : found->second;
}

std::vector<const Translators::Reader *> Translators::readers(const std::string &keyword, const Where where) const
{
  std::vector<const Reader *> found;
  for (const Reader &reader : readers(keyword))
    if (reader.rule.where == where)
      found.push_back(&reader);
  return found;
}

std::vector<Translator *> Translators::of(const std::string &keyword) const
{
  std::vector<Translator *> found;
  for (const Reader &reader : readers(keyword))
    if (!std::count(found.begin(), found.end(), reader.translator))
      found.push_back(reader.translator);
  return found;
}

std::vector<Translator *> Translators::with_turn(const Turn turn) const
{
  std::vector<Translator *> found;
  for (const auto &translator : all)
    if (translator->turn() == turn)
      found.push_back(translator.get());
  return found;
}
}  // namespace symdyn::abaqus
