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
    return {{"PART"}, {"END PART"}, {"ASSEMBLY"}, {"END ASSEMBLY", Where::model, {}, {}, true}, {"INSTANCE"}, {"END INSTANCE"}};
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
