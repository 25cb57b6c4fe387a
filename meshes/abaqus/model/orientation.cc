#include "meshes/abaqus/job.h"
#include "solver/registry.h"

// *ORIENTATION: axes of a material. Those that a section names are read (axes.h).
namespace symdyn::abaqus
{
namespace
{
class Orientation : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"ORIENTATION", Where::model, Options{"NAME", "SYSTEM", "DEFINITION", "LOCAL DIRECTIONS"}}};
  }
};
SYMDYN_REGISTER(Translator, Orientation, "orientation");
}  // namespace
}  // namespace symdyn::abaqus
