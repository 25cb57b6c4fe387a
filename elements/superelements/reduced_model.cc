#include "elements/superelements/reduced_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "solver/error.h"
#include "solver/testdata/array_files.h"

namespace symdyn
{
namespace
{
/// The arrays of a file by name.
class Arrays
{
public:
  explicit Arrays(const std::string &file)
  {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    if (!in || !(bytes << in.rdbuf()))
      throw InputError("cannot be read");
    for (NamedArray &array : arrays_of_npz(bytes.str()))
      all.emplace(array.name, std::move(array));
  }
  bool has(const std::string &name) const { return all.count(name) > 0; }
  const std::vector<std::string> &words(const std::string &name) const { return of_name(name).words; }
  /// Of `rows` rows, 0: as many as there are.
  std::vector<double> matrix(const std::string &name, const std::size_t rows, const std::size_t columns) const
  {
    return numbers(name, {rows > 0 ? rows : of_name(name).values.size() / columns, columns});
  }
  std::vector<double> list(const std::string &name, const std::size_t rows) const { return numbers(name, {rows}); }
  std::size_t rows(const std::string &name) const { return of_name(name).shape.empty() ? 0 : of_name(name).shape.front(); }

private:
  std::vector<double> numbers(const std::string &name, const std::vector<std::size_t> &shape) const
  {
    const NamedArray &array = of_name(name);
    if (array.is_complex || array.shape != shape)
      throw InputError(
          fmt::format("has '{}' of the shape ({}), not ({}), of real numbers", name, fmt::join(array.shape, ", "), fmt::join(shape, ", ")));
    std::vector<double> values;
    for (const auto &value : array.values)
      values.push_back(value.real());
    if (!std::all_of(values.begin(), values.end(), [](const double x) { return std::isfinite(x); }))
      throw InputError(fmt::format("has '{}' with a value that is no number", name));
    return values;
  }
  const NamedArray &of_name(const std::string &name) const
  {
    const auto found = all.find(name);
    if (found == all.end())
      throw InputError(fmt::format("has no array '{}', as files of stages of Type = substructure have", name));
    return found->second;
  }
  std::map<std::string, NamedArray> all;
};

/// Errors: InputError for a matrix that is not symmetric but for rounding.
std::vector<double> symmetric(const Arrays &arrays, const std::string &name, const std::size_t n)
{
  constexpr double rounding = 1e-8;
  std::vector<double> A = arrays.matrix(name, n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
    {
      double &a = A[n * i + j], &b = A[n * j + i];
      if (std::abs(a - b) > rounding * std::sqrt(std::abs(A[(n + 1) * i] * A[(n + 1) * j])))
        throw InputError(fmt::format("has '{}' that is not symmetric: rows {} and {} have {:.6g} and {:.6g}", name, j + 1, i + 1, a, b));
      a = b = 0.5 * (a + b);
    }
  return A;
}

double form(const std::vector<double> &A, const std::vector<double> &x, const std::vector<double> &y)
{
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j)
      sum += x[i] * A[i * y.size() + j] * y[j];
  return sum;
}

void read_masters(const Arrays &arrays, ReducedModel &model)
{
  const std::size_t masters = arrays.rows("places");
  const std::vector<double> places = arrays.matrix("places", masters, 3), axes = arrays.matrix("axes", masters, 3),
                            turns = arrays.list("turns", masters), nodes = arrays.list("nodes", masters);
  std::map<double, std::size_t> known;
  for (std::size_t i = 0; i < masters; ++i)
  {
    constexpr double rounding = 1e-9;
    const Place X{places[3 * i], places[3 * i + 1], places[3 * i + 2]}, axis{axes[3 * i], axes[3 * i + 1], axes[3 * i + 2]};
    if (std::abs(std::hypot(axis[0], axis[1], axis[2]) - 1.) > rounding)
      throw InputError(fmt::format("has 'axes' in whose row {} is no unit vector", i + 1));
    const auto [at, is_new] = known.emplace(nodes[i], model.nodes.size());
    if (is_new)
      model.nodes.push_back(X);
    else if (model.nodes[at->second] != X)
      throw InputError(fmt::format("has two 'places' of the node {:g}", nodes[i]));
    const std::vector<std::string> &names = arrays.words("coordinates");
    model.masters.push_back({at->second, turns[i] != 0., axis, i < names.size() ? names[i] : fmt::format("row {}", i + 1)});
  }
}
void read_inside(const Arrays &arrays, const std::size_t n, DrawnShapes &inside)
{
  inside.places = arrays.matrix("inside_places", 0, 3);
  const std::size_t points = inside.points();
  const std::vector<double> T = arrays.matrix("inside_T", 3 * points, n);
  inside.shapes.assign(n, std::vector<double>(3 * points));
  for (std::size_t i = 0; i < T.size(); ++i)
    inside.shapes[i % n][i / n] = T[i];
  const auto whole = [&](const char *name, const double most) {
    std::vector<double> values = arrays.list(name, arrays.rows(name));
    for (const double value : values)
      if (!(value >= 0. && value <= most && value == std::floor(value)))
        throw InputError(fmt::format("has '{}' with {:g}: these are whole numbers from 0 to {:g}", name, value, most));
    return values;
  };
  const std::vector<double> cells = whole("inside_cells", double(points) - 1.), types = whole("inside_types", 255.),
                            ends = whole("inside_ends", double(cells.size()));
  if (types.size() != ends.size() || ends.empty() || ends.back() != double(cells.size()) || !std::is_sorted(ends.begin(), ends.end()))
    throw InputError("has 'inside_ends' that do not cut 'inside_cells' into cells, one for each of 'inside_types'");
  inside.types.assign(types.begin(), types.end());
  inside.ends.assign(ends.begin(), ends.end());
  inside.connectivity.assign(cells.begin(), cells.end());
}

/// A matrix that gives no motion a negative energy, in words.
struct EnergyForm
{
  const char *name, *of_diagonal, *energy, *fix;
  double rounding;  ///< of a pivot, of the diagonal
};
constexpr EnergyForm of_mass{"M", "mass", "kinetic energy", "Write M of the whole body, consistent with its masters", 1e-8},
    of_stiffness{"K", "stiffness", "strain energy", "Write K of a body that stands by itself, consistent with its masters", 1e-6};

/// By the pivots of a Cholesky factor. Motions without energy, as rigid ones of K, are left out: they have no product with others. Errors:
/// InputError.
void refuse_indefinite(const ReducedModel &model, const std::vector<double> &A, const EnergyForm &form)
{
  const std::size_t n = model.size();
  std::vector<double> L = A;
  for (std::size_t j = 0; j < n; ++j)
  {
    const double own = A[(n + 1) * j], left = L[(n + 1) * j];
    const std::string name =
        j < model.masters.size() ? "'" + model.masters[j].name + "'" : fmt::format("mode {}", j + 1 - model.masters.size());
    if (own < 0.)
      throw InputError(fmt::format("has '{}' with the negative {} {:.6g} of {}. {}", form.name, form.of_diagonal, own, name, form.fix));
    bool negative = left < -form.rounding * own;
    const bool none = left <= form.rounding * own;
    for (std::size_t i = j + 1; i < n && none; ++i)
      negative = negative || std::abs(L[n * i + j]) > std::sqrt(form.rounding * own * std::abs(A[(n + 1) * i]));
    if (negative)
      throw InputError(
          fmt::format("has '{}' that gives some motion of {} and others a negative {}. {}", form.name, name, form.energy, form.fix));
    for (std::size_t i = j + 1; i < n && !none; ++i)
    {
      const double factor = L[n * i + j] / left;
      for (std::size_t k = j + 1; k <= i; ++k)
        L[n * i + k] -= factor * L[n * k + j];
    }
  }
}
}  // namespace

ReducedModel ReducedModel::read(const std::string &file)
{
  const Arrays arrays(file);
  ReducedModel model;
  read_masters(arrays, model);
  const std::size_t n = arrays.rows("K");
  if (model.masters.empty() || n < model.masters.size())
    throw InputError(fmt::format("has {} masters, and K of {} rows. K has the masters first, then modes", model.masters.size(), n));
  model.modes = n - model.masters.size();
  model.K = symmetric(arrays, "K", n);
  model.M = symmetric(arrays, "M", n);
  refuse_indefinite(model, model.M, of_mass);
  refuse_indefinite(model, model.K, of_stiffness);
  if (arrays.has("C"))
    model.C = symmetric(arrays, "C", n);
  if (arrays.has("load_names"))
    model.loads = arrays.words("load_names");
  if (arrays.has("inside_places"))
    read_inside(arrays, n, model.inside);
  if (arrays.has("units"))
    model.units = arrays.words("units");
  if (model.modes > 0)
    for (const double f : arrays.list("frequencies", model.modes))
      model.highest = std::max(model.highest, f);
  return model;
}

std::vector<double> ReducedModel::translation(const int d) const
{
  std::vector<double> x(size(), 0.);
  for (std::size_t i = 0; i < masters.size(); ++i)
    x[i] = masters[i].turns ? 0. : masters[i].axis[d];
  return x;
}

double ReducedModel::mass() const
{
  double largest = 0;
  for (int d = 0; d < 3; ++d)
    largest = std::max(largest, form(M, translation(d), translation(d)));
  return largest;
}

bool ReducedModel::carries_all(const int dimension) const
{
  constexpr double small = 1e-7;
  const std::size_t n = size();
  for (int d = 0; d < dimension; ++d)
  {
    const std::vector<double> x = translation(d);
    double of_all = 0, left = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
      double sum = 0, terms = 0;
      for (std::size_t j = 0; j < n; ++j)
      {
        sum += K[n * i + j] * x[j];
        terms += std::abs(K[n * i + j] * x[j]);
      }
      left = std::max(left, std::abs(sum));
      of_all = std::max(of_all, terms);
    }
    if (left > small * of_all || std::abs(form(M, x, x) - mass()) > small * mass())
      return false;
  }
  return true;
}
}  // namespace symdyn
