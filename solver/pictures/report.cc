#include "solver/pictures/report.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "solver/base/plot.h"
#include "solver/error.h"
#include "solver/pictures/report_page.h"

namespace symdyn
{
namespace
{
using Json = nlohmann::json;
constexpr std::size_t bytes_of_views = 1400000;  ///< in all: with base64 and the rest a page stays below 3 MB

void replace(std::string &text, const std::string &mark, const std::string &by)
{
  const std::size_t at = text.find(mark);
  if (at == std::string::npos)
    throw std::logic_error("the page has no place for " + mark);
  text.replace(at, mark.size(), by);
}

/// JSON inside of a script element: no text of a deck may end it.
std::string as_script(const Json &data)
{
  std::string text;
  for (const char c : data.dump(-1, ' ', true, Json::error_handler_t::replace))
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

std::string date()
{
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", std::localtime(&now));
  return text;
}

/// Labels that two runs share become their folders.
void tell_apart(Json &runs)
{
  for (const Json &one : runs)
  {
    std::vector<Json *> same;
    for (Json &other : runs)
      if (other["label"] == one["label"])
        same.push_back(&other);
    if (same.size() > 1)
    {
      for (Json *other : same)
        (*other)["label"] = (*other)["folder"];
      return tell_apart(runs);
    }
  }
}
}  // namespace

std::string write_report(const ReportOptions &options)
{
  Json runs = Json::array();
  for (const std::string &folder : options.results)
    runs.push_back(report_of_run(folder));  // all folders are looked at before the work begins
  for (Json &run : runs)
  {
    const Json units = run["summary"].is_object() ? run["summary"].value("units", Json::object()) : Json::object();
    run["views"] = report_views(run["folder"], units, bytes_of_views / runs.size());
  }
  tell_apart(runs);
  const Json &summary = runs.front()["summary"];
  std::string title = summary.is_object() ? summary.value("title", std::string()) : "";
  if (title.empty())
    title = runs.front()["label"];
  const Json data = {{"runs", runs}, {"title", title}, {"date", date()}, {"symdyn", SYMDYN_VERSION}};
  std::string page = page_html;
  replace(page, "{title}", as_markup(title));
  replace(page, "{style}", page_css);
  replace(page, "{data}", as_script(data));
  replace(page, "{script}", std::string(view_js) + plots_js + page_js);
  const std::string file = options.output.empty() ? options.results.front() + "/report.html" : options.output;
  if (!(std::ofstream(file) << page << std::flush))
    throw InputError(file + ": cannot be written. Choose another name with --output");
  return file;
}
}  // namespace symdyn
