#include <vtkBrush.h>
#include <vtkContext2D.h>
#include <vtkContextActor.h>
#include <vtkContextItem.h>
#include <vtkContextScene.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextProperty.h>

#include "solver/pictures/plot_picture.h"

#include <array>
#include <cmath>

#include "solver/base/plot_canvas.h"

namespace symdyn
{
namespace
{
struct Colour
{
  unsigned char red, green, blue;

  explicit Colour(const std::string &written)
  {
    const unsigned long rgb = std::stoul(written.substr(1), nullptr, 16);
    red = rgb >> 16, green = rgb >> 8, blue = rgb;
  }
};

/// What VTK paints with; its places count from below.
class Painter : public Canvas
{
public:
  Painter(vtkContext2D &context, const double height, const double scale) : context(context), height(height), scale(scale)
  {
    context.GetBrush()->SetColor(0, 0, 0, 0);
  }

  void line(const Place &a, const Place &b, const Pen &pen) override { polyline({a, b}, pen); }
  void rectangle(const Place &corner, const Place &size, const Pen &pen) override
  {
    const auto [x, y] = corner;
    const auto [w, h] = size;
    polyline({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}}, pen);
  }
  void polyline(const std::vector<Place> &places, const Pen &pen) override
  {
    constexpr std::array<int, 4> types{vtkPen::SOLID_LINE, vtkPen::DASH_LINE, vtkPen::DOT_LINE, vtkPen::DASH_DOT_LINE};
    const Colour colour(pen.colour);
    context.GetPen()->SetColor(colour.red, colour.green, colour.blue);
    context.GetPen()->SetOpacity(255);
    context.GetPen()->SetWidth(float(scale * pen.width));
    context.GetPen()->SetLineType(types[pen.dashes]);
    std::vector<float> points;
    for (const Place &place : places)
      for (const double c : {x(place), y(place)})
        points.push_back(float(c));
    context.DrawPoly(points.data(), int(places.size()));
  }
  void dot(const Place &centre, const std::string &name) override
  {
    const Colour colour(name);
    context.GetPen()->SetLineType(vtkPen::NO_PEN);
    context.GetBrush()->SetColor(colour.red, colour.green, colour.blue, 255);
    context.DrawEllipse(float(x(centre)), float(y(centre)), float(1.5 * scale), float(1.5 * scale));
  }
  void text(const Place &place, const Anchor anchor, const std::string &words, const Face face) override
  {
    constexpr std::array<int, 3> places{VTK_TEXT_LEFT, VTK_TEXT_CENTERED, VTK_TEXT_RIGHT};
    constexpr double plain = 12, bold = 14;
    vtkTextProperty *style = context.GetTextProp();
    style->SetFontFamilyToArial();
    style->SetFontSize(int(std::lround(scale * (face == Face::bold ? bold : plain))));
    style->SetBold(face == Face::bold);
    style->SetColor(0., 0., 0.);
    style->SetJustification(places[int(anchor)]);
    style->SetVerticalJustificationToBottom();
    style->SetOrientation(face == Face::upright ? 90. : 0.);
    // Places are of the line that letters stand on; VTK's bottom is that of g and y, below it.
    constexpr double below = 3;
    const double across = face == Face::upright ? scale * below : 0., down = face == Face::upright ? 0. : scale * below;
    context.DrawString(float(x(place) + across), float(y(place) - down), words.c_str());
  }

private:
  double x(const Place &place) const { return scale * place.first; }
  double y(const Place &place) const { return scale * (height - place.second); }

  vtkContext2D &context;
  double height, scale;
};

/// Paints a plot when VTK asks.
class PlotItem : public vtkContextItem
{
public:
  static PlotItem *New();
  vtkTypeMacro(PlotItem, vtkContextItem)

      bool Paint(vtkContext2D *context) override
  {
    Painter painter(*context, plot->height(), scale);
    plot->draw(painter);
    return true;
  }

  const Plot *plot = nullptr;
  double scale = 1;
};
vtkStandardNewMacro(PlotItem)
}  // namespace

Image picture_of(const Plot &plot, const double scale)
{
  auto item = vtkSmartPointer<PlotItem>::New();
  item->plot = &plot;
  item->scale = scale;
  auto actor = vtkSmartPointer<vtkContextActor>::New();
  auto renderer = vtkSmartPointer<vtkRenderer>::New();
  auto window = vtkSmartPointer<vtkRenderWindow>::New();
  actor->GetScene()->AddItem(item);
  actor->GetScene()->SetRenderer(renderer);
  renderer->SetBackground(1., 1., 1.);
  renderer->AddActor(actor);
  window->SetOffScreenRendering(true);
  window->SetMultiSamples(8);
  window->SetSize(int(scale * Plot::width), int(scale * plot.height()));
  window->AddRenderer(renderer);
  return captured(*window);
}
}  // namespace symdyn
