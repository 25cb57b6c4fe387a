#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/stages/analysis.h"
#include "solver/stages/measured/frequency_response.h"
#include "solver/testdata/array_files.h"

// Tables and files of frequency response functions.
namespace symdyn
{
namespace
{
/// Of the labels of universal files.
int type_of(const std::string &quantity) { return quantity == "mobility" ? 11 : quantity == "accelerance" ? 12 : 8; }
const char *motion_of(const std::string &quantity)
{
  return quantity == "mobility" ? "Velocity" : quantity == "accelerance" ? "Acceleration" : "Displacement";
}
constexpr int force_type = 13, frequency_type = 18, general_type = 1;

std::string unit_of_motion(const std::string &quantity, const Units &units)
{
  return quantity == "mobility"      ? units.length + "/" + units.time
         : quantity == "accelerance" ? units.length + "/" + units.time + "^2"
                                     : units.length;
}
}  // namespace

std::string FrequencyResponseStage::unit_of(const Units &units, const Port &input) const
{
  if (is_stiffness())
    return units.force + "/" + units.length;
  const std::string motion = unit_of_motion(quantity, units);
  return input.place && units.force != "1" ? motion + "/" + units.force : motion;
}

std::string FrequencyResponseStage::csv(const Analysis &analysis) const
{
  std::string text = "frequency [" + hertz(analysis.units) + "]";
  if (request.fast())
    text += ",residual";
  for (const Port &input : inputs)
    for (const Port &output : outputs)
    {
      const std::string title = output.label + "/" + input.label;
      text += fmt::format(",{},phase {} [deg]", Column("amplitude " + title, unit_of(analysis.units, input)).title(), title);
    }
  text += "\n";
  for (const Answer &answer : answers)
  {
    text += fmt::format("{}", answer.frequency);
    if (request.fast())
      text += fmt::format(",{:.3g}", answer.residual);
    for (std::size_t j = 0; j < inputs.size(); ++j)
      for (std::size_t i = 0; i < outputs.size(); ++i)
        text += fmt::format(",{},{}", std::abs(answer.H[i][j]), std::arg(answer.H[i][j]) * 180. / dealii::numbers::PI);
    text += "\n";
  }
  return text;
}

UniversalFile FrequencyResponseStage::universal(const Analysis &analysis) const
{
  const Units &units = analysis.units;
  UniversalFile file;
  file.title = "symdyn, stage " + name;
  file.unit_of_length = units.length;
  file.length_factor = UniversalFile::per_metre(units.length);
  for (std::size_t k = 0; k < places.size(); ++k)
    file.nodes[int(k) + 1] = places[k].position;
  const auto freedom = [&](const Port &port) {
    return port.place ? UniversalFile::Freedom{places[*port.place].name, int(*port.place) + 1, port.axis + 1}
                      : UniversalFile::Freedom{port.label, 0, 0};
  };
  const UniversalFile::Quantity motion{type_of(quantity), motion_of(quantity), unit_of_motion(quantity, units)};
  for (std::size_t j = 0; j < inputs.size(); ++j)
    for (std::size_t i = 0; i < outputs.size(); ++i)
    {
      UniversalFile::Function one;
      one.titles = {fmt::format("{}/{}", outputs[i].label, inputs[j].label), quantity, fmt::format("stage {}", name)};
      one.response = freedom(outputs[i]);
      one.reference = freedom(inputs[j]);
      one.across = {frequency_type, "Frequency", hertz(units)};
      const UniversalFile::Quantity driving =
          inputs[j].place ? UniversalFile::Quantity{force_type, "Force", units.force} : UniversalFile::Quantity{general_type, "Load", "1"};
      one.above = is_stiffness() ? driving : motion;
      one.below = is_stiffness() ? motion : driving;
      for (const Answer &answer : answers)
      {
        one.abscissa.push_back(answer.frequency);
        one.values.push_back(answer.H[i][j]);
      }
      file.functions.push_back(std::move(one));
    }
  return file;
}

std::vector<TestFunctions::Function> FrequencyResponseStage::functions() const
{
  std::vector<TestFunctions::Function> all;
  const auto end_of = [&](const Port &port) {
    return TestFunctions::End{port.label, places[*port.place].name, places[*port.place].position, port.axis};
  };
  for (std::size_t j = 0; j < inputs.size(); ++j)
    for (std::size_t i = 0; i < outputs.size() && inputs[j].place; ++i)
    {
      TestFunctions::Function one{end_of(outputs[i]),
                                  end_of(inputs[j]),
                                  {},
                                  {},
                                  quantity == "mobility"      ? 1
                                  : quantity == "accelerance" ? 2
                                                              : 0};
      for (const Answer &answer : answers)
      {
        one.frequency.push_back(answer.frequency);
        one.values.push_back(answer.H[i][j]);
      }
      all.push_back(std::move(one));
    }
  return all;
}

void FrequencyResponseStage::write(Analysis &analysis) const
{
  const std::string stem = Results::stem("response", name);
  std::vector<std::string> files{stem + ".csv"};
  analysis.recorder.file(files.back(), csv(analysis));
  const auto wanted = [&](const char *format) { return std::count(formats.begin(), formats.end(), format) > 0; };
  for (const bool binary : {false, true})
    if (wanted(binary ? "uff58b" : "uff58"))
    {
      files.push_back(stem + (binary ? "-bytes.uff" : ".uff"));
      analysis.recorder.file(files.back(), universal(analysis).text(binary));
    }
  std::vector<NamedArray> arrays(2);
  std::vector<double> f;
  arrays[1] = {"H", {answers.size(), outputs.size(), inputs.size()}, {}, true, {}};
  for (const Answer &answer : answers)
  {
    f.push_back(answer.frequency);
    for (const auto &row : answer.H)
      arrays[1].values.insert(arrays[1].values.end(), row.begin(), row.end());
  }
  arrays[0] = NamedArray::real("frequency", f);
  for (const auto &[title, ports] : {std::pair{"outputs", &outputs}, {"inputs", &inputs}})
  {
    arrays.push_back({title, {}, {}, false, {}});
    for (const Port &port : *ports)
      arrays.back().words.push_back(port.label);
  }
  for (const auto &[format, text] : {std::pair{"npz", &npz}, {"mat", &mat}})
    if (wanted(format))
    {
      files.push_back(stem + "." + format);
      analysis.recorder.file(files.back(), text(arrays));
    }
  log_line(fmt::format("stage {}: {} frequencies in {}/{}", name, answers.size(), analysis.recorder.folder(), join(files)));
}

std::optional<double> FrequencyResponseStage::reciprocity() const
{
  std::vector<std::size_t> output_of;  // of each input: the output at the same place and axis
  for (const Port &input : inputs)
    output_of.push_back(std::find_if(outputs.begin(), outputs.end(), [&](const Port &output) { return output.label == input.label; }) -
                        outputs.begin());
  std::optional<double> largest;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
    {
      const std::size_t row_i = output_of[i], row_j = output_of[j];
      if (row_i == outputs.size() || row_j == outputs.size())
        continue;
      for (const Answer &answer : answers)
        if (const double size = std::sqrt(std::abs(answer.H[row_i][i] * answer.H[row_j][j])); size > 0.)
          largest = std::max(largest.value_or(0.), std::abs(answer.H[row_i][j] - answer.H[row_j][i]) / size);
    }
  return largest;
}
}  // namespace symdyn
