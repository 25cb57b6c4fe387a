#include "meshes/abaqus/model.h"
#include "meshes/abaqus/translator.h"
#include "solver/registry.h"

// *PART, *INSTANCE, *ASSEMBLY: one part, of one instance that is not moved.
namespace symdyn::abaqus
{
namespace
{
class Parts : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    const Options none;
    return {{"PART", Where::model, Options{"NAME"}},
            {"END PART", Where::model, none},
            {"ASSEMBLY", Where::model, Options{"NAME"}},
            {"END ASSEMBLY", Where::model, none, {}, true},
            {"INSTANCE", Where::model, Options{"NAME", "PART"}},
            {"END INSTANCE", Where::model, none}};
  }
  void read_mesh(Model &model, const Keyword &card) override
  {
    if (card.name != "PART" && card.name != "INSTANCE")
      return;
    if (++model.counted[card.name] > 1 || !card.data.empty())
      model.scanner.fail_at(card.line, "*" + card.name,
                            "only one part, and one instance of it that is not moved, can be read. Export the mesh of the assembly.");
  }
};
SYMDYN_REGISTER(Translator, Parts, "parts");
}  // namespace
}  // namespace symdyn::abaqus
