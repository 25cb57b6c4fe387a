#include "solver/pictures/report.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The page with texts in the place of its marks. Marks in these texts stay what they are.
std::string filled(const std::string &page, const std::vector<std::pair<std::string, std::string>> &texts)
{
  std::string whole;
  std::size_t done = 0;
  for (const auto &[mark, text] : texts)  // in the order of the page
  {
    const std::size_t at = page.find(mark, done);
    if (at == std::string::npos)
      throw std::logic_error("the page has no place for " + mark);
    whole += page.substr(done, at - done) + text;
    done = at + mark.size();
  }
  return whole + page.substr(done);
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
  for (auto one = options.results.begin(); one != options.results.end(); ++one)
    if (std::count(options.results.begin(), one, *one) > 0)
      throw InputError(*one + ": is named twice. Name each folder of results once");
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
  const std::string page = filled(page_html, {{"{title}", as_markup(title)},
                                              {"{style}", page_css},
                                              {"{data}", as_script(data)},
                                              {"{script}", std::string(view_js) + plots_js + page_js}});
  const std::string file = options.output.empty() ? options.results.front() + "/report.html" : options.output;
  if (!(std::ofstream(file) << page << std::flush))
    throw InputError(file + ": cannot be written. Choose another name with --output");
  return file;
}
}  // namespace symdyn
