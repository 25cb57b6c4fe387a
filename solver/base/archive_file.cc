#include <deal.II/base/mpi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "solver/base/archive_content.h"
#include "solver/base/checksum.h"
#include "solver/base/together.h"
#include "solver/error.h"
#include "solver/unknowns.h"

// Archives as files:
//     a line with the name and version of the format, a line with the length and the CRC-32 of the header
//     the header, JSON: values; names of the vectors; of each name of blocks the size and where they are; for each rank the range that it
//     wrote, with a CRC-32
//     words of 8 bytes, little-endian: the identities of all degrees of freedom, then each vector; of each name of blocks the identities,
//     then the values
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr std::size_t word = 8;
const std::string magic = "symdyn checkpoint ";

bool on_first_rank() { return MPI::this_mpi_process(MPI_COMM_WORLD) == 0; }

std::string damaged(const std::string &file, const std::string &what)
{
  return fmt::format("{}: {}: the file is damaged. It was left as it is; start from another checkpoint, or from the beginning", file, what);
}

/// FileWords of this rank, and where in the file they go.
struct FilePiece
{
  const void *data;
  std::size_t at, count;
};

/// [first item, items, CRC-32] of each rank.
nlohmann::json ranges_of_ranks(const std::size_t first, const std::size_t count, const std::uint32_t crc)
{
  nlohmann::json ranges = nlohmann::json::array();
  for (const auto &[begin, number, sum] :
       MPI::all_gather(MPI_COMM_WORLD, std::tuple<std::size_t, std::size_t, std::uint32_t>{first, count, crc}))
    ranges.push_back({begin, number, sum});
  return ranges;
}

/// The head by the first rank; the pieces by all, as many on each. Collective; whether all ranks could write.
bool write_pieces(const std::string &file, const std::string &head, const std::vector<FilePiece> &pieces, const std::size_t words)
{
  MPI_File handle;
  bool good = MPI_File_open(MPI_COMM_WORLD, file.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &handle) == MPI_SUCCESS;
  if (MPI::min(int(good), MPI_COMM_WORLD) == 1)
  {
    good = MPI_File_set_size(handle, head.size() + words * word) == MPI_SUCCESS;
    const auto write_at = [&](const std::size_t at, const void *data, const std::size_t count, const MPI_Datatype type) {
      MPI_Status status;
      int written = 0;
      good = MPI_File_write_at_all(handle, at, data, int(count), type, &status) == MPI_SUCCESS && good;
      good = (count == 0 || (MPI_Get_count(&status, type, &written) == MPI_SUCCESS && written == int(count))) && good;
    };
    write_at(0, head.data(), on_first_rank() ? head.size() : 0, MPI_CHAR);
    for (const FilePiece &piece : pieces)
      write_at(head.size() + piece.at * word, piece.data, piece.count, MPI_UINT64_T);
    good = MPI_File_sync(handle) == MPI_SUCCESS && good;
    good = MPI_File_close(&handle) == MPI_SUCCESS && good;
  }
  return MPI::min(int(good), MPI_COMM_WORLD) == 1;
}

/// FILE.new becomes FILE, on the disk too. On the first rank; "" or what is wrong.
std::string take_place_of(const std::string &file, const bool good)
{
  std::error_code error;
  const std::string next = file + ".new";
  if (good)
    std::filesystem::rename(next, file, error);
  if (!good || error)
  {
    std::filesystem::remove(next, error);
    return fmt::format("{}: the checkpoint could not be written (is the disk full?). The one before it is as it was", file);
  }
  if (const int folder = open((std::filesystem::path(file).parent_path() / ".").c_str(), O_RDONLY); folder >= 0)
  {
    fsync(folder);
    close(folder);
  }
  return "";
}

/// As many words of each item in a row.
struct FileColumn
{
  std::size_t at, width = 1;
};

/// The words of a file behind its header.
class FileWords
{
public:
  FileWords(const std::string &file, const std::size_t begin) : in(file, std::ios::binary), begin(begin) {}

  template <class T>
  std::vector<T> range(const FileColumn &column, const std::size_t first, const std::size_t items)
  {
    static_assert(sizeof(T) == word);
    std::vector<T> values(items * column.width);
    in.clear();
    in.seekg(begin + (column.at + first * column.width) * word);
    in.read(reinterpret_cast<char *>(values.data()), values.size() * word);
    if (!in)
      values.clear();
    return values;
  }

  /// The number of the first range of this rank (they are dealt out in turn) whose sum is not that of the header; -1: there is none.
  int first_damage(const std::vector<FileColumn> &columns, const nlohmann::json &ranges)
  {
    for (std::size_t r = MPI::this_mpi_process(MPI_COMM_WORLD); r < ranges.size(); r += MPI::n_mpi_processes(MPI_COMM_WORLD))
    {
      std::uint32_t crc = 0;
      for (const FileColumn &column : columns)
      {
        const std::vector<std::uint64_t> read = range<std::uint64_t>(column, ranges[r][0], ranges[r][1]);
        crc = checksum(read.data(), read.size() * word, crc);
      }
      if (crc != ranges[r][2].get<std::uint32_t>())
        return int(r);
    }
    return -1;
  }

  /// Where each of `wanted` is among the identities of a column of `all` items, most likely from `guess` on; all of them, or nothing.
  bool places(const FileColumn &column, const std::size_t all, const std::vector<std::uint64_t> &wanted, const std::size_t guess,
              std::vector<std::size_t> &found)
  {
    found.resize(wanted.size());
    std::iota(found.begin(), found.end(), guess);
    if (guess + wanted.size() <= all && range<std::uint64_t>(column, guess, wanted.size()) == wanted)
      return true;
    const std::vector<std::uint64_t> identities = range<std::uint64_t>(column, 0, all);
    std::vector<std::size_t> order(identities.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) { return identities[a] < identities[b]; });
    for (std::size_t i = 0; i < wanted.size(); ++i)
    {
      const auto place = std::lower_bound(order.begin(), order.end(), wanted[i],
                                          [&](const std::size_t a, const std::uint64_t id) { return identities[a] < id; });
      if (place == order.end() || identities[*place] != wanted[i])
        return false;
      found[i] = *place;
    }
    return true;
  }

  /// The items at these places, one after the other.
  std::vector<double> gather(const FileColumn &column, const std::vector<std::size_t> &places)
  {
    if (places.empty())
      return {};
    const auto [least, largest] = std::minmax_element(places.begin(), places.end());
    const std::vector<double> all = range<double>(column, *least, *largest - *least + 1);
    std::vector<double> values;
    values.reserve(places.size() * column.width);
    for (const std::size_t place : places)
      values.insert(values.end(), all.begin() + (place - *least) * column.width, all.begin() + (place - *least + 1) * column.width);
    return values;
  }

private:
  std::ifstream in;
  std::size_t begin;
};

/// Columns of the vectors: the identities first.
std::vector<FileColumn> columns_of_vectors(const nlohmann::json &layout)
{
  std::vector<FileColumn> columns;
  for (std::size_t k = 0; k <= layout.at("vectors").size(); ++k)
    columns.push_back({k * layout.at("dofs").get<std::size_t>()});
  return columns;
}

/// Of blocks: identities, values.
std::vector<FileColumn> columns_of_blocks(const nlohmann::json &blocks)
{
  const std::size_t at = blocks.at("at"), count = blocks.at("count"), doubles = blocks.at("doubles");
  return {{at}, {at + count, doubles}};
}

/// How many words are behind a header.
std::size_t length_of(const nlohmann::json &layout)
{
  std::size_t words = (1 + layout.at("vectors").size()) * layout.at("dofs").get<std::size_t>();
  for (const nlohmann::json &blocks : layout.at("blocks"))
    words += (1 + blocks.at("doubles").get<std::size_t>()) * blocks.at("count").get<std::size_t>();
  return words;
}
}  // namespace

void Archive::write(const std::string &file, const MechanicalSystem &system) const
{
  const Vector like = system.new_vector();
  const std::size_t all = like.size(), mine = like.locally_owned_size(), begin = like.get_partitioner()->local_range().first;
  const std::vector<std::uint64_t> identities = system.unknowns().identities();
  nlohmann::json header{{"values", content->values},
                        {"dofs", all},
                        {"vectors", nlohmann::json::array()},
                        {"short", nlohmann::json::object()},
                        {"blocks", nlohmann::json::object()}};
  std::vector<FilePiece> pieces{{identities.data(), begin, mine}};
  std::uint32_t crc = checksum(identities.data(), mine * word);
  for (const auto &[name, x] : content->vectors)
    if (x.size() == all && x.locally_owned_size() == mine)
    {
      header["vectors"].push_back(name);
      pieces.push_back({x.begin(), pieces.size() * all + begin, mine});
      crc = checksum(x.begin(), mine * word, crc);
    }
    else
      header["short"][name] = exact(std::vector<double>(x.begin(), x.end()));
  header["ranks"] = ranges_of_ranks(begin, mine, crc);
  std::size_t words = pieces.size() * all;
  for (const auto &[name, blocks] : content->blocks)
  {
    const std::size_t number = blocks.identities.size(), size = blocks.values.size();
    std::size_t first = 0;
    MPI_Exscan(&number, &first, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    first = on_first_rank() ? 0 : first;
    const std::size_t count = MPI::sum(number, MPI_COMM_WORLD);
    crc = checksum(blocks.values.data(), size * word, checksum(blocks.identities.data(), number * word));
    header["blocks"][name] = {{"at", words}, {"count", count}, {"doubles", blocks.doubles}, {"ranks", ranges_of_ranks(first, number, crc)}};
    pieces.push_back({blocks.identities.data(), words + first, number});
    pieces.push_back({blocks.values.data(), words + count + first * blocks.doubles, size});
    words += count * (1 + blocks.doubles);
  }
  // That of the first rank, which alone knows the files.
  const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string head = MPI::broadcast(
      MPI_COMM_WORLD, fmt::format("{}{}\n{} {:08x}\n{}", magic, format, text.size(), checksum(text.data(), text.size()), text), 0);
  const bool good = write_pieces(file + ".new", head, pieces, words);
  throw_collectively<ComputationError>(on_first_rank() ? take_place_of(file, good) : "");
}

namespace
{
/// The header of a file and where its words begin; "" or what is wrong with it.
std::string read_header(const std::string &file, std::string &text, std::size_t &begin)
{
  std::ifstream in(file, std::ios::binary);
  std::string first, second;
  std::getline(in, first);
  std::size_t length = 0;
  unsigned int crc = 0;
  if (!in && first.empty())
    return file + ": cannot be read; a run with Output/Checkpoint every, or one that was stopped, leaves a checkpoint in its folder";
  if (first.rfind(magic, 0) != 0)
    return file + ": is not a symdyn checkpoint. It was left unchanged";
  if (first != magic + std::to_string(Archive::format))
    return fmt::format("{}: checkpoint of format {}, this version (symdyn {}) reads format {}: run again from the deck", file,
                       first.substr(magic.size()), SYMDYN_VERSION, Archive::format);
  if (!std::getline(in, second) || std::sscanf(second.c_str(), "%zu %8x", &length, &crc) != 2 || length > std::filesystem::file_size(file))
    return damaged(file, "its second line");
  begin = in.tellg();
  text.resize(length);
  in.read(text.data(), length);
  if (!in || checksum(text.data(), length) != crc)
    return damaged(file, "its header");
  begin += length;
  return "";
}
}  // namespace

Archive Archive::read(const std::string &file)
{
  std::string text;
  std::size_t begin = 0;
  throw_collectively<InputError>(on_first_rank() ? read_header(file, text, begin) : "");
  Archive archive;
  Content &content = *archive.content;
  content.file = file;
  content.layout = nlohmann::json::parse(MPI::broadcast(MPI_COMM_WORLD, text, 0));
  content.values = content.layout.at("values");
  content.data_begin = MPI::broadcast(MPI_COMM_WORLD, begin, 0);
  const bool whole = !on_first_rank() || std::filesystem::file_size(file) == content.data_begin + length_of(content.layout) * word;
  throw_collectively<InputError>(whole ? "" : damaged(file, "it has not the length that it should have"));
  return archive;
}

void Archive::read_vectors(const MechanicalSystem &system)
{
  const nlohmann::json &layout = content->layout;
  const std::string &file = content->file;
  const Vector like = system.new_vector();
  const std::size_t all = layout.at("dofs"), begin = like.get_partitioner()->local_range().first;
  const std::vector<FileColumn> columns = columns_of_vectors(layout);
  FileWords words(file, content->data_begin);
  std::string fault;
  if (const int r = words.first_damage(columns, layout.at("ranks")); r >= 0)
  {
    const std::size_t first = layout.at("ranks")[r][0], count = layout.at("ranks")[r][1];
    fault = damaged(file, fmt::format("the values of degrees of freedom {} to {}", first, first + count));
  }
  for (const auto &[name, blocks] : layout.at("blocks").items())
    if (fault.empty() && words.first_damage(columns_of_blocks(blocks), blocks.at("ranks")) >= 0)
      fault = damaged(file, fmt::format("the blocks of \"{}\"", name));
  throw_collectively<InputError>(fault);
  std::vector<std::size_t> places;
  if (all != like.size())
    fault = fmt::format("{}: has {} degrees of freedom, and the deck {}: it is of another model", file, all, like.size());
  else if (!words.places(columns.front(), all, system.unknowns().identities(), begin, places))
    fault = file + ": a node of the mesh is not in it: it is of another mesh. Restart with the mesh of the checkpoint";
  throw_collectively<InputError>(fault);
  for (std::size_t k = 1; k < columns.size(); ++k)
  {
    Vector x = like;
    const std::vector<double> values = words.gather(columns[k], places);
    std::copy(values.begin(), values.end(), x.begin());
    x.update_ghost_values();
    content->vectors[layout.at("vectors")[k - 1]] = x;
  }
  for (const auto &[name, values] : layout.at("short").items())
  {
    Vector x;
    x.reinit(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      x.local_element(i) = from_exact(values[i]);
    content->vectors[name] = x;
  }
}

std::vector<double> Archive::get_blocks(const std::string &name, const std::vector<std::uint64_t> &identities) const
{
  const std::string path = prefix + name, file = content->file.empty() ? "checkpoint" : content->file;
  std::vector<double> values;
  bool found = true;
  if (const auto own = content->blocks.find(path); own != content->blocks.end())
  {
    const Content::Blocks &blocks = own->second;
    std::map<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < blocks.identities.size(); ++i)
      places[blocks.identities[i]] = i * blocks.doubles;
    for (const std::uint64_t identity : identities)
    {
      const auto place = places.find(identity);
      if (place == places.end())
        throw InputError(fmt::format("{}: \"{}\" has no block of identity {}", file, path, identity));
      values.insert(values.end(), blocks.values.begin() + place->second, blocks.values.begin() + place->second + blocks.doubles);
    }
    return values;
  }
  if (!has(name))
    throw InputError(fmt::format("{}: has no blocks \"{}\". Run again from the deck", file, path));
  const nlohmann::json &layout = content->layout.at("blocks").at(path);
  const std::vector<FileColumn> columns = columns_of_blocks(layout);
  FileWords words(file, content->data_begin);
  std::vector<std::size_t> places;
  found = words.places(columns.front(), layout.at("count"), identities, 0, places);
  throw_collectively<InputError>(
      found ? ""
            : fmt::format("{}: \"{}\" has no block for a cell of the mesh: it is of another mesh. Restart with the mesh of the checkpoint",
                          file, path));
  return words.gather(columns.back(), places);
}
}  // namespace symdyn
