#include "solver/base/checkpoint.h"

#include <deal.II/base/mpi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "solver/base/together.h"
#include "solver/error.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr std::size_t word = 8;
const std::string magic = "symdyn checkpoint ";
constexpr int version = 4;

bool on_first_rank() { return MPI::this_mpi_process(MPI_COMM_WORLD) == 0; }

std::uint32_t checksum(const void *data, const std::size_t bytes, const std::uint32_t seed = 0)
{
  boost::crc_32_type crc(seed);
  crc.process_bytes(data, bytes);
  return crc.checksum();
}

template <class T>
std::vector<T> range(std::ifstream &file, const std::size_t at, const std::size_t count)
{
  std::vector<T> values(count);
  file.seekg(at);
  file.read(reinterpret_cast<char *>(values.data()), count * word);
  if (!file)
    values.clear();
  return values;
}

std::string damaged(const std::string &file, const std::string &what)
{
  return fmt::format("{}: {}: the file is damaged. It was left as it is; start from another checkpoint, or from the beginning", file, what);
}
}  // namespace

std::uint32_t checksum_of(const std::string &file)
{
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(1 << 16);
  std::uint32_t crc = 0;
  boost::crc_32_type sum;
  while (in.read(block.data(), block.size()), in.gcount() > 0)
  {
    sum.process_bytes(block.data(), in.gcount());
    crc = sum.checksum();
  }
  return crc;
}

nlohmann::json exact(const double value)
{
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(std::isnan(value) ? "nan" : value > 0. ? "inf" : "-inf");
}

double from_exact(const nlohmann::json &value)
{
  if (value.is_number())
    return value.get<double>();
  const std::string text = value.get<std::string>();
  return text == "nan" ? std::numeric_limits<double>::quiet_NaN() : (text == "inf" ? 1. : -1.) * std::numeric_limits<double>::infinity();
}

void Checkpoint::put(const std::string &name, const Vector &x) { spread[name] = x; }

void Checkpoint::put(const std::string &name, const State &state)
{
  nlohmann::json &here = facts[name];
  here = {{"t", exact(state.t)}, {"n", state.n}, {"memory", nlohmann::json::array()}};
  for (const auto &[part, x] : {std::pair<const char *, const Vector *>{"q", &state.q}, {"v", &state.v}, {"a", &state.a}})
    put(name + "." + part, *x);
  for (const auto &[part, x] : state.memory)
  {
    here["memory"].push_back(part);
    put(name + ".memory." + part, x);
  }
}

Vector Checkpoint::vector(const std::string &name) const { return spread.at(name); }

State Checkpoint::state(const std::string &name) const
{
  const nlohmann::json &here = facts.at(name);
  State state;
  state.t = from_exact(here.at("t"));
  state.n = here.at("n");
  state.q = vector(name + ".q");
  state.v = vector(name + ".v");
  state.a = vector(name + ".a");
  for (const std::string part : here.at("memory"))
    state.memory[part] = vector(name + ".memory." + part);
  return state;
}

namespace
{
/// The head by the first rank; then words, the identities and the blocks, each rank its part from `begin` on. Collective; whether all ranks
/// could write.
bool write_parts(const std::string &file, const std::string &head, const std::vector<std::uint64_t> &identities,
                 const std::vector<const Vector *> &blocks, const std::size_t begin, const std::size_t mine, const std::size_t all)
{
  MPI_File handle;
  bool good = MPI_File_open(MPI_COMM_WORLD, file.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &handle) == MPI_SUCCESS;
  if (MPI::min(int(good), MPI_COMM_WORLD) == 1)
  {
    good = MPI_File_set_size(handle, head.size() + (1 + blocks.size()) * all * word) == MPI_SUCCESS;
    const auto write_at = [&](const std::size_t at, const void *data, const std::size_t count, const MPI_Datatype type) {
      MPI_Status status;
      int written = 0;
      good = MPI_File_write_at_all(handle, at, data, int(count), type, &status) == MPI_SUCCESS && good;
      good = (count == 0 || (MPI_Get_count(&status, type, &written) == MPI_SUCCESS && written == int(count))) && good;
    };
    write_at(0, head.data(), on_first_rank() ? head.size() : 0, MPI_CHAR);
    write_at(head.size() + begin * word, identities.data(), mine, MPI_UINT64_T);
    for (std::size_t k = 0; k < blocks.size(); ++k)
      write_at(head.size() + ((k + 1) * all + begin) * word, blocks[k]->begin(), mine, MPI_DOUBLE);
    good = MPI_File_sync(handle) == MPI_SUCCESS && good;
    good = MPI_File_close(&handle) == MPI_SUCCESS && good;
  }
  return MPI::min(int(good), MPI_COMM_WORLD) == 1;
}
}  // namespace

void Checkpoint::write(const std::string &file, const MechanicalSystem &system) const
{
  const Vector like = system.new_vector();
  const std::size_t all = like.size(), mine = like.locally_owned_size(), begin = like.get_partitioner()->local_range().first;
  nlohmann::json header{{"facts", facts}, {"dofs", all}, {"vectors", nlohmann::json::array()}, {"short", nlohmann::json::object()}};
  std::vector<const Vector *> blocks;
  for (const auto &[name, x] : spread)
    if (x.size() == all && x.locally_owned_size() == mine)
    {
      header["vectors"].push_back(name);
      blocks.push_back(&x);
    }
    else
    {
      nlohmann::json values = nlohmann::json::array();
      for (const double value : x)
        values.push_back(exact(value));
      header["short"][name] = values;
    }
  const std::vector<std::uint64_t> identities = system.unknowns().identities();
  std::uint32_t crc = checksum(identities.data(), mine * word);
  for (const Vector *x : blocks)
    crc = checksum(x->begin(), mine * word, crc);
  header["ranks"] = nlohmann::json::array();
  for (const auto &[first, count, of] :
       MPI::all_gather(MPI_COMM_WORLD, std::tuple<std::size_t, std::size_t, std::uint32_t>{begin, mine, crc}))
    header["ranks"].push_back({first, count, of});
  const std::string text =
      header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // that of the first rank, which alone knows the files
  const std::string head = MPI::broadcast(
      MPI_COMM_WORLD, fmt::format("{}{}\n{} {:08x}\n{}", magic, version, text.size(), checksum(text.data(), text.size()), text), 0);

  const std::string next = file + ".new";
  const bool good = write_parts(next, head, identities, blocks, begin, mine, all);
  std::string fault;
  std::error_code error;
  if (on_first_rank() && good)
    std::filesystem::rename(next, file, error);
  if (on_first_rank() && (!good || error))
  {
    fault = fmt::format("{}: the checkpoint could not be written (is the disk full?). The one before it is as it was", file);
    std::filesystem::remove(next, error);
  }
  if (on_first_rank() && fault.empty())
    if (const int folder = open((std::filesystem::path(file).parent_path() / ".").c_str(), O_RDONLY);
        folder >= 0)  // the new name, too, on the disk
    {
      fsync(folder);
      close(folder);
    }
  throw_collectively<ComputationError>(fault);
}

Checkpoint Checkpoint::read_facts(const std::string &file)
{
  std::string fault, text;
  std::size_t begin = 0;
  if (on_first_rank())
  {
    std::ifstream in(file, std::ios::binary);
    std::string first, second;
    std::getline(in, first);
    std::size_t length = 0;
    unsigned int crc = 0;
    if (!in && first.empty())
      fault = file + ": cannot be read; a run with Output/Checkpoint every, or one that was stopped, leaves a checkpoint in its folder";
    else if (first.rfind(magic, 0) != 0)
      fault = file + ": is not a symdyn checkpoint. It was left unchanged";
    else if (first != magic + std::to_string(version))
      fault = fmt::format(
          "{}: is of version {} of the format, and this program reads version {}. Start again from the deck, or go on with the program that wrote it",
          file, first.substr(magic.size()), version);
    else if (!std::getline(in, second) || std::sscanf(second.c_str(), "%zu %8x", &length, &crc) != 2 ||
             length > std::filesystem::file_size(file))
      fault = damaged(file, "its second line");
    else
    {
      begin = in.tellg();
      text.resize(length);
      in.read(text.data(), length);
      if (!in || checksum(text.data(), length) != crc)
        fault = damaged(file, "its header");
      begin += length;
    }
  }
  throw_collectively<InputError>(fault);
  text = MPI::broadcast(MPI_COMM_WORLD, text, 0);
  const nlohmann::json header = nlohmann::json::parse(text);
  Checkpoint checkpoint;
  checkpoint.facts = header.at("facts");
  checkpoint.layout = header;
  checkpoint.data_begin = MPI::broadcast(MPI_COMM_WORLD, begin, 0);
  if (on_first_rank() && std::filesystem::file_size(file) !=
                             checkpoint.data_begin + (1 + header.at("vectors").size()) * header.at("dofs").get<std::size_t>() * word)
    fault = damaged(file, "it has not the length that it should have");
  throw_collectively<InputError>(fault);
  return checkpoint;
}

void Checkpoint::read_vectors(const std::string &file, const MechanicalSystem &system)
{
  const Vector like = system.new_vector();
  const std::size_t all = layout.at("dofs"), mine = like.locally_owned_size(), begin = like.get_partitioner()->local_range().first;
  const auto &names = layout.at("vectors");
  std::ifstream in(file, std::ios::binary);
  const auto at = [&](const std::size_t block, const std::size_t first) { return data_begin + (block * all + first) * word; };
  // As it was written, each part by one rank.
  std::string fault;
  const auto &parts = layout.at("ranks");
  for (std::size_t r = MPI::this_mpi_process(MPI_COMM_WORLD); r < parts.size() && fault.empty(); r += MPI::n_mpi_processes(MPI_COMM_WORLD))
  {
    const std::size_t first = parts[r][0], count = parts[r][1];
    std::uint32_t crc = 0;
    for (std::size_t block = 0; block <= names.size(); ++block)
      crc = checksum(range<char[word]>(in, at(block, first), count).data(), count * word, crc);
    if (crc != parts[r][2].get<std::uint32_t>())
      fault = damaged(file, fmt::format("the values of degrees of freedom {} to {}", first, first + count));
  }
  throw_collectively<InputError>(fault);
  // Where in the file each degree of freedom of this rank stands.
  const std::vector<std::uint64_t> own = system.unknowns().identities();
  std::vector<std::size_t> place(mine);
  std::iota(place.begin(), place.end(), begin);
  if (all != like.size())
    fault = fmt::format("{}: has {} degrees of freedom, and the deck {}: it is of another model", file, all, like.size());
  else if (range<std::uint64_t>(in, at(0, begin), mine) != own)
  {
    const std::vector<std::uint64_t> identities = range<std::uint64_t>(in, at(0, 0), all);
    std::vector<std::size_t> order(all);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) { return identities[a] < identities[b]; });
    for (std::size_t i = 0; i < mine && fault.empty(); ++i)
    {
      const auto found = std::lower_bound(order.begin(), order.end(), own[i],
                                          [&](const std::size_t a, const std::uint64_t id) { return identities[a] < id; });
      if (found == order.end() || identities[*found] != own[i])
        fault = file + ": a node of the mesh is not in it: it is of another mesh. Restart with the mesh of the checkpoint";
      else
        place[i] = *found;
    }
  }
  throw_collectively<InputError>(fault);
  const bool in_order =
      mine == 0 || (place.front() == begin && std::is_sorted(place.begin(), place.end()) && place.back() == begin + mine - 1);
  for (std::size_t k = 0; k < names.size(); ++k)
  {
    Vector x = like;
    const std::vector<double> values = in_order ? range<double>(in, at(k + 1, begin), mine) : range<double>(in, at(k + 1, 0), all);
    for (std::size_t i = 0; i < mine; ++i)
      x.local_element(i) = values[in_order ? i : place[i]];
    x.update_ghost_values();
    spread[names[k]] = x;
  }
  for (const auto &[name, values] : layout.at("short").items())
  {
    Vector x;
    x.reinit(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      x.local_element(i) = from_exact(values[i]);
    spread[name] = x;
  }
}
}  // namespace symdyn
