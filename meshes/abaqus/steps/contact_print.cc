#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/steps/print_times.h"
#include "solver/base/names.h"

// *CONTACT PRINT.
namespace symdyn::abaqus
{
namespace
{
bool is_force(const std::string &quantity) { return quantity == "CF" || quantity == "CFN" || quantity == "CFS"; }

/// Those that can be written; the rest with a warning. Of the names of CalculiX the first four letters count.
std::vector<std::string> quantities_of(Job &job, const Keyword &card)
{
  static const std::vector<std::string> known{"CDIS", "CSTR", "CELS", "CNUM", "CF", "CFN", "CFS"};
  std::vector<std::string> quantities;
  for (const Line &line : card.data)
    for (const std::string &w : line.words)
      if (const std::string quantity = upper(w).substr(0, 4); std::count(known.begin(), known.end(), quantity) > 0)
        quantities.push_back(quantity);
      else if (!w.empty())
        job.out.warn(line.number, "*CONTACT PRINT " + w, "this quantity is not written; there are " + join(known));
  return quantities;
}

/// The contact of MASTER and SLAVE, or all.
std::string contact_of(const Job &job, const Keyword &card)
{
  if (!card.has("MASTER") && !card.has("SLAVE"))
    return "all";
  const auto found = job.contacts.find({upper(card.option("SLAVE")), upper(card.option("MASTER"))});
  if (found == job.contacts.end())
    job.fail(card.line, "*CONTACT PRINT, SLAVE=" + card.option("SLAVE") + ", MASTER=" + card.option("MASTER"),
             "there is no *CONTACT PAIR of these surfaces.");
  return found->second;
}
}  // namespace

bool write_contact_print(Job &job, const Keyword &card, const Step &step)
{
  const std::string contact = contact_of(job, card);
  if (!is_printed(job, card))
    return false;
  const std::vector<std::string> all = quantities_of(job, card);
  const bool vibrates = has_forms(step) || step.procedure == "STEADY STATE DYNAMICS" || step.procedure == "MODAL DYNAMIC";
  if (vibrates || job.contacts.empty())
  {
    job.out.warn(card.line, "*CONTACT PRINT",
                 vibrates ? fmt::format("is left out of {}: *{} keeps the contact of its start", step.name, step.procedure)
                          : "is not written: the file has no *CONTACT PAIR");
    return false;
  }
  for (const bool forces : {false, true})  // points are those of all pairs, as in CalculiX
  {
    std::vector<std::string> quantities;
    std::copy_if(all.begin(), all.end(), std::back_inserter(quantities), [&](const std::string &one) { return is_force(one) == forces; });
    if (quantities.empty())
      continue;
    const std::string path = "Tables/" + job.out.fresh("Tables", step.name + (forces ? " contact forces" : " contact"));
    job.out.add(card.line, path, "Stage", step.name);
    job.out.add(card.line, path, "Contacts", forces ? contact : "all");
    job.out.add(card.line, path, "Quantities", join(quantities));
    if (card.has("NSET") && forces)
      job.out.warn(card.line, "*CONTACT PRINT, NSET", "has no effect on CF, CFN and CFS: they are of whole surfaces");
    else if (card.has("NSET"))
    {
      const Set *set = find_set(job.model.node_sets, card.option("NSET"));
      if (!set)
        job.fail(card.line, "*CONTACT PRINT, NSET=" + card.option("NSET"),
                 "there is no set of this name" + known(job.model.node_sets, card.option("NSET")) + ".");
      job.out.add(card.line, path, "Nodes", set->name);
    }
    write_print_times(job, card, step, path);
  }
  return !all.empty();
}

void name_faces_of_contacts(Model &model)
{
  for (const Keyword &card : model.all)
    if (card.name == "CONTACT PAIR")
      for (const Line &line : card.data)
        for (const auto &faces : model.mesh.faces)
          if (!line.words.empty() && upper(faces.first) == upper(line.words.front()))
            model.mesh.named_faces.insert(faces.first);
}
}  // namespace symdyn::abaqus
