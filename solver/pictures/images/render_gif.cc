#include "solver/pictures/images/render_gif.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int bits = 8, most_codes = 4096;
constexpr std::uint8_t unchanged = GifPalette::most_colours;  // the transparent colour

void put_word(std::string &out, const int value)
{
  out += char(value & 255);
  out += char(value >> 8 & 255);
}

/// Codes of 9 to 12 bits, packed from the lowest bit on.
class CodeStream
{
public:
  void put(const int code, const int width)
  {
    held |= std::uint32_t(code) << count;
    for (count += width; count >= 8; count -= 8, held >>= 8)
      bytes += char(held & 255);
  }
  std::string finished()
  {
    if (count > 0)
      bytes += char(held & 255);
    return bytes;
  }

private:
  std::string bytes;
  std::uint32_t held = 0;
  int count = 0;
};

/// Codes of words: the code of a word's beginning and its last pixel lead to its own code.
class CodeTable
{
public:
  CodeTable() { clear(); }
  void clear() { keys.fill(none); }
  /// The code of the word; 0, which is none, if it is not there: then `next` becomes its code, unless this is 0, too.
  int code(const int beginning, const std::uint8_t pixel, const int next)
  {
    const std::uint32_t key = std::uint32_t(beginning) << bits | pixel;
    std::size_t at = (key * multiplier) >> shift;
    while (keys[at] != key && keys[at] != none)
      at = (at + 1) % size;
    if (keys[at] == key)
      return codes[at];
    if (next > 0)
    {
      keys[at] = key;
      codes[at] = std::uint16_t(next);
    }
    return 0;
  }

private:
  static constexpr std::size_t size = 1 << 14;                                                         // a quarter of it is in use
  static constexpr std::uint32_t none = ~std::uint32_t(0), multiplier = 2654435769u, shift = 32 - 14;  // Knuth 1973, 6.4: 2^32/golden ratio
  std::array<std::uint32_t, size> keys;
  std::array<std::uint16_t, size> codes;
};

std::string compressed(const std::vector<std::uint8_t> &pixels)
{
  constexpr int clear = 1 << bits, end = clear + 1;
  CodeStream stream;
  CodeTable table;
  int width = bits + 1, next = end + 1, current = pixels.front();
  stream.put(clear, width);
  for (std::size_t i = 1; i < pixels.size(); ++i)
  {
    if (const int code = table.code(current, pixels[i], next < most_codes ? next : 0))
    {
      current = code;
      continue;
    }
    stream.put(current, width);
    if (next < most_codes)
    {
      width += next == 1 << width;
      ++next;
    }
    else
    {
      stream.put(clear, width);
      table.clear();
      width = bits + 1;
      next = end + 1;
    }
    current = pixels[i];
  }
  stream.put(current, width);
  stream.put(end, width);
  return stream.finished();
}

std::string in_blocks(const std::string &data)
{
  constexpr std::size_t block = 255;
  std::string out;
  for (std::size_t at = 0; at < data.size(); at += block)
  {
    const std::string part = data.substr(at, block);
    out += char(part.size());
    out += part;
  }
  return out + '\0';
}
}  // namespace

Gif::Gif(const std::string &file, const std::vector<Image> &samples, const double delay)
    : file(file),
      out(file, std::ios::binary),
      palette(samples),
      width(samples.front().width),
      height(samples.front().height),
      hundredths(int(std::lround(100. * delay)))
{
  std::string head = "GIF89a";
  put_word(head, width);
  put_word(head, height);
  head += char(0xf0 | (bits - 1));
  head += std::string("\0\0", 2);
  for (const GifPalette::Colour &colour : palette.colours())
    head.append(colour.begin(), colour.end());
  head.resize(13 + 3 * (1 << bits), '\0');
  head += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // repeat for ever
  put(head);
}

void Gif::put(const std::string &bytes)
{
  if (!out.write(bytes.data(), std::streamsize(bytes.size())))
    throw InputError(file + ": cannot be written. Choose another with --output");
}

Gif::Part Gif::changed(const std::vector<std::uint8_t> &next) const
{
  int left = width, right = -1, top = height, bottom = -1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (const std::size_t i = std::size_t(y) * width + x; shown.empty() || next[i] != shown[i])
      {
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = y;
      }
  return bottom < 0 ? Part{0, 0, 1, 1} : Part{left, top, right - left + 1, bottom - top + 1};
}

void Gif::add(const Image &image)
{
  if (image.width != width || image.height != height)
    throw std::logic_error("pictures of different sizes in an animation");
  std::vector<std::uint8_t> next(std::size_t(width) * height), stored;
  for (std::size_t i = 0; i < next.size(); ++i)
    next[i] = palette.nearest(&image.rgb[3 * i]);
  const Part part = changed(next);
  for (int y = part.top; y < part.top + part.height; ++y)
    for (std::size_t i = std::size_t(y) * width + part.left, end = i + part.width; i < end; ++i)
      stored.push_back(!shown.empty() && next[i] == shown[i] ? unchanged : next[i]);
  std::string bytes("\x21\xf9\x04\x05", 4);  // graphic control: leave the picture there; one colour is transparent
  put_word(bytes, hundredths);
  bytes += char(unchanged);
  bytes += '\0';
  bytes += '\x2c';  // the picture
  for (const int value : {part.left, part.top, part.width, part.height})
    put_word(bytes, value);
  bytes += '\0';
  bytes += char(bits);
  put(bytes + in_blocks(compressed(stored)));
  shown = std::move(next);
}

void Gif::finish()
{
  put("\x3b");
  out.close();
  if (!out)
    throw InputError(file + ": cannot be written. Choose another with --output");
}

void write_gif(const std::string &file, const std::vector<Image> &images, const double delay)
{
  Gif gif(file, images, delay);
  for (const Image &image : images)
    gif.add(image);
  gif.finish();
}
}  // namespace symdyn
