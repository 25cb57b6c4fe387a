#include <vtkActor.h>
#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkColorTransferFunction.h>
#include <vtkDataArray.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkDoubleArray.h>
#include <vtkFeatureEdges.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkScalarBarActor.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWarpVector.h>

#include "solver/pictures/render_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/pictures/images/color_maps.h"
#include "solver/pictures/render_edges.h"
#include "solver/pictures/whole_frame.h"

namespace symdyn
{
namespace
{
constexpr double text_colour[3] = {0.13, 0.15, 0.18}, outline_colour[3] = {0.45, 0.48, 0.52};
const char *const shown = "shown value";

/// The field of this name, of points or else of cells. Errors: InputError.
vtkDataSetAttributes &owner_of(vtkUnstructuredGrid &grid, const std::string &field, const std::string &file)
{
  std::vector<std::string> known;
  for (vtkDataSetAttributes *data :
       {static_cast<vtkDataSetAttributes *>(grid.GetPointData()), static_cast<vtkDataSetAttributes *>(grid.GetCellData())})
  {
    if (data->GetArray(field.c_str()))
      return *data;
    for (int i = 0; i < data->GetNumberOfArrays(); ++i)
      known.push_back(data->GetArrayName(i));
  }
  throw InputError(
      fmt::format("{}: has no field '{}'; it has: {}. Choose one with --field", file, field, join(nearest_first(field, known))));
}

/// The norm of a field, with its sign if it is a scalar, at each point or in each cell.
vtkDataArray &add_shown(vtkUnstructuredGrid &grid, const std::string &field, const std::string &file)
{
  vtkDataSetAttributes &data = owner_of(grid, field, file);
  vtkDataArray *array = data.GetArray(field.c_str());
  auto values = vtkSmartPointer<vtkDoubleArray>::New();
  values->SetName(shown);
  const int n = array->GetNumberOfComponents();
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
  {
    double square = 0;
    for (int c = 0; c < n; ++c)
      square += std::pow(array->GetComponent(i, c), 2);
    values->InsertNextValue(n == 1 ? array->GetComponent(i, 0) : std::sqrt(square));
  }
  data.AddArray(values);
  return *data.GetArray(shown);
}

vtkSmartPointer<vtkPolyData> skin_of(vtkDataSet *body)
{
  constexpr int facets = 3;  // of curved cells
  auto surface = vtkSmartPointer<vtkDataSetSurfaceFilter>::New();
  surface->SetInputData(body);
  surface->SetNonlinearSubdivisionLevel(facets);
  surface->Update();
  return surface->GetOutput();
}

/// Envelopes have no displacement.
vtkSmartPointer<vtkPolyData> moved_skin(vtkUnstructuredGrid &grid, const double scale)
{
  if (!grid.GetPointData()->GetArray("displacement"))
    return skin_of(&grid);
  auto warp = vtkSmartPointer<vtkWarpVector>::New();
  warp->SetInputData(&grid);
  warp->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "displacement");
  warp->SetScaleFactor(scale);
  warp->Update();
  return skin_of(warp->GetOutput());
}

/// Two digits; 1 of motions.
double usual_scale(vtkUnstructuredGrid &grid, const bool of_shapes)
{
  vtkDataArray *displacement = of_shapes ? grid.GetPointData()->GetArray("displacement") : nullptr;
  constexpr double part = 0.125;
  constexpr int norm = -1;
  const double largest = displacement ? displacement->GetRange(norm)[1] : 0.;
  return largest > 0. ? std::stod(fmt::format("{:.2g}", part * grid.GetLength() / largest)) : 1.;
}

void set_text(vtkTextProperty &property, const int size, const bool bold)
{
  property.SetColor(text_colour[0], text_colour[1], text_colour[2]);
  property.SetFontFamilyToArial();
  property.SetFontSize(size);
  property.SetBold(bold);
  property.SetItalic(false);
  property.SetShadow(false);
}
}  // namespace

struct Scene::Parts
{
  SceneOptions options;
  vtkSmartPointer<vtkRenderWindow> window = vtkSmartPointer<vtkRenderWindow>::New();
  vtkSmartPointer<vtkRenderer> renderer = vtkSmartPointer<vtkRenderer>::New();
  vtkSmartPointer<vtkPolyDataMapper> mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  vtkSmartPointer<vtkTextActor> clock = vtkSmartPointer<vtkTextActor>::New();
  double bounds[6] = {1., -1., 1., -1., 1., -1.};
  std::array<double, 2> range{};
  bool of_cells = false;  ///< the field that is shown
  std::optional<MeshEdges> edges;

  double scale_of(vtkUnstructuredGrid &grid) const
  {
    return options.scale ? *options.scale : usual_scale(grid, options.axis == SceneOptions::Axis::number);
  }
  void survey(const std::vector<FrameFiles> &frames);
  void add_body(const FrameFiles &first);
  void add_bar(vtkColorTransferFunction &map);
  void add_words();
  int letters(const double share) const { return std::max(10, int(share * options.height)); }
};

/// Extent and range of values over all frames.
void Scene::Parts::survey(const std::vector<FrameFiles> &frames)
{
  bool first = true;
  for (const FrameFiles &frame : frames)
  {
    const auto grid = whole_frame(frame);
    double ends[2], moved[6];
    add_shown(*grid, options.field, frame.files.front()).GetFiniteRange(ends);
    of_cells = grid->GetCellData()->GetArray(shown) != nullptr;
    moved_skin(*grid, scale_of(*grid))->GetBounds(moved);
    for (const double *box : {static_cast<const double *>(moved), static_cast<const double *>(grid->GetBounds())})
      for (int d = 0; d < 3; ++d)
      {
        bounds[2 * d] = first ? box[2 * d] : std::min(bounds[2 * d], box[2 * d]);
        bounds[2 * d + 1] = first ? box[2 * d + 1] : std::max(bounds[2 * d + 1], box[2 * d + 1]);
        first = first && d < 2;
      }
    range = &frame == &frames.front() ? std::array{ends[0], ends[1]} : std::array{std::min(range[0], ends[0]), std::max(range[1], ends[1])};
  }
  if (options.range)
    range = *options.range;
  if (range[0] > range[1])
    range = {};  // no value is known
  if (!(range[1] > range[0]))
    range[1] = range[0] + std::max(1e-12, 1e-6 * std::abs(range[0]));
}

void Scene::Parts::add_body(const FrameFiles &first)
{
  auto map = color_map(options.colors, range);
  mapper->SetLookupTable(map);
  of_cells ? mapper->SetScalarModeToUseCellFieldData() : mapper->SetScalarModeToUsePointFieldData();
  mapper->SelectColorArray(shown);
  mapper->SetScalarRange(range[0], range[1]);
  mapper->SetInterpolateScalarsBeforeMapping(!of_cells);
  auto body = vtkSmartPointer<vtkActor>::New();
  body->SetMapper(mapper);
  body->GetProperty()->SetAmbient(0.3);
  body->GetProperty()->SetDiffuse(0.75);
  body->GetProperty()->SetPointSize(8);
  body->GetProperty()->SetLineWidth(3);
  renderer->AddActor(body);
  add_bar(*map);

  // Cells have points of their own: edges inside would be edges of the body.
  constexpr double crease = 30;  // degrees
  auto clean = vtkSmartPointer<vtkCleanPolyData>::New();
  clean->SetInputData(skin_of(whole_frame(first)));
  auto edges = vtkSmartPointer<vtkFeatureEdges>::New();
  edges->SetInputConnection(clean->GetOutputPort());
  edges->SetFeatureAngle(crease);
  edges->NonManifoldEdgesOff();
  edges->ColoringOff();
  auto lines = vtkSmartPointer<vtkPolyDataMapper>::New();
  lines->SetInputConnection(edges->GetOutputPort());
  lines->ScalarVisibilityOff();
  auto outline = vtkSmartPointer<vtkActor>::New();
  outline->SetMapper(lines);
  outline->GetProperty()->SetColor(outline_colour[0], outline_colour[1], outline_colour[2]);
  outline->GetProperty()->SetLineWidth(1.5);
  outline->GetProperty()->LightingOff();
  renderer->AddActor(outline);
}

void Scene::Parts::add_bar(vtkColorTransferFunction &map)
{
  auto bar = vtkSmartPointer<vtkScalarBarActor>::New();
  bar->SetLookupTable(&map);
  const std::string name = options.field == "von_mises" ? "von Mises" : options.field;
  bar->SetTitle((name + (options.field_unit.empty() ? "" : " [" + options.field_unit + "]")).c_str());
  bar->SetNumberOfLabels(6);
  bar->SetLabelFormat("%.3g");
  bar->UnconstrainedFontSizeOn();
  set_text(*bar->GetTitleTextProperty(), letters(0.026), false);
  set_text(*bar->GetLabelTextProperty(), letters(0.024), false);
  bar->SetVerticalTitleSeparation(letters(0.015));
  bar->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
  bar->SetPosition(0.86, 0.2);
  bar->SetWidth(0.12);
  bar->SetHeight(0.6);
  bar->SetBarRatio(0.2);
  renderer->AddActor2D(bar);
}

void Scene::Parts::add_words()
{
  set_text(*clock->GetTextProperty(), letters(0.03), false);
  auto title = vtkSmartPointer<vtkTextActor>::New();
  title->SetInput(options.title.c_str());
  set_text(*title->GetTextProperty(), letters(0.034), true);
  const double margin = 0.025;
  for (const auto &[actor, height] : {std::pair{title.GetPointer(), 0.945}, {clock.GetPointer(), 0.895}})
  {
    actor->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
    actor->SetPosition(margin, height);
    renderer->AddActor2D(actor);
  }
}

Scene::Scene(const std::vector<FrameFiles> &frames, const SceneOptions &options) : parts(std::make_unique<Parts>())
{
  parts->options = options;
  parts->survey(frames);
  parts->window->SetOffScreenRendering(true);
  parts->window->SetMultiSamples(4);
  parts->window->SetSize(options.width, options.height);
  parts->window->AddRenderer(parts->renderer);
  parts->renderer->SetBackground(1., 1., 1.);
  parts->renderer->SetBackground2(0.86, 0.9, 0.95);
  parts->renderer->GradientBackgroundOn();
  parts->add_body(frames.front());
  if (options.edges)
  {
    parts->edges.emplace(*whole_frame(frames.front()), *whole_frame(frames.back()));
    parts->renderer->AddActor(parts->edges->actor());
  }
  parts->add_words();
  aim(*parts->renderer, parts->bounds, double(options.width) / options.height, options.view, options.z_up ? 2 : 1);
}

Scene::~Scene() = default;

std::string usual_field(const FrameFiles &frame)
{
  const auto grid = whole_frame(frame);
  for (const char *stress : {"von_mises", "max_von_mises"})
    if (grid->GetPointData()->GetArray(stress))
      return stress;
  return "displacement";
}

namespace
{
/// "t = 0.1 s", "shape 3", "f = 100 Hz"; "": the frame is of no moment.
std::string when_of(const SceneOptions &options, const double at)
{
  const std::string &unit = options.time_unit;
  switch (options.axis)
  {
    case SceneOptions::Axis::number:
      return fmt::format("shape {:g}", at);
    case SceneOptions::Axis::frequency:
      return fmt::format("f = {:.4g}{}", at, unit.empty() ? "" : unit == "s" ? " Hz" : " 1/" + unit);
    case SceneOptions::Axis::none:
      return "";
    default:
      return fmt::format("t = {:.4g}{}", at, unit.empty() ? "" : " " + unit);
  }
}
}  // namespace

Image Scene::draw(const FrameFiles &frame)
{
  const auto grid = whole_frame(frame);
  add_shown(*grid, parts->options.field, frame.files.front());
  const double scale = parts->scale_of(*grid);
  parts->mapper->SetInputData(moved_skin(*grid, scale));
  if (parts->edges)
    parts->edges->move(*grid, scale);
  const std::string when = when_of(parts->options, frame.time), larger = scale == 1. ? "" : fmt::format("displacement x {:g}", scale);
  parts->clock->SetInput((when + (when.empty() || larger.empty() ? "" : ", ") + larger).c_str());
  return captured(*parts->window);
}
}  // namespace symdyn
