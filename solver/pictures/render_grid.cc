#include "solver/pictures/render_grid.h"

#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <filesystem>

#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Errors of VTK go to a text instead of a window or the terminal.
void note_error(vtkObject *, unsigned long, void *text, void *what)
{
  static_cast<std::string *>(text)->append(static_cast<const char *>(what));
}

std::string first_line(const std::string &text)
{
  const std::size_t at = text.find("): ");
  const std::string rest = at == std::string::npos ? text : text.substr(at + 3);
  return rest.substr(0, rest.find('\n'));
}

template <class Reader>
vtkSmartPointer<vtkUnstructuredGrid> read(const std::string &file)
{
  std::string fault;
  auto listener = vtkSmartPointer<vtkCallbackCommand>::New();
  listener->SetCallback(note_error);
  listener->SetClientData(&fault);
  auto reader = vtkSmartPointer<Reader>::New();
  reader->AddObserver(vtkCommand::ErrorEvent, listener);
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkUnstructuredGrid *grid = reader->GetOutput();
  if (!fault.empty() || !grid || grid->GetNumberOfPoints() == 0)
    throw InputError(fmt::format("{}: is no frame that VTK can read{}", file, fault.empty() ? "" : ": " + first_line(fault)));
  return grid;
}
}  // namespace

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::string &file)
{
  if (!std::filesystem::is_regular_file(file))
    throw InputError(file + ": a frame that the collection lists is missing");
  return std::filesystem::path(file).extension() == ".pvtu" ? read<vtkXMLPUnstructuredGridReader>(file)
                                                            : read<vtkXMLUnstructuredGridReader>(file);
}
}  // namespace symdyn
