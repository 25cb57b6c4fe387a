#include "solver/pictures/render_gif.h"

#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int reds = 6, greens = 7, blues = 6, bits = 8, most_codes = 4096;

std::uint8_t index_of(const std::uint8_t *rgb)
{
  const auto level = [](const int value, const int count) { return (value * (count - 1) + 127) / 255; };
  return std::uint8_t((level(rgb[0], reds) * greens + level(rgb[1], greens)) * blues + level(rgb[2], blues));
}

void put_word(std::string &out, const int value)
{
  out += char(value & 255);
  out += char(value >> 8 & 255);
}

std::string palette()
{
  std::string table;
  for (int i = 0; i < 1 << bits; ++i)
  {
    const int r = i / (greens * blues), g = i / blues % greens, b = i % blues;
    const bool used = r < reds;
    table += char(used ? r * 255 / (reds - 1) : 0);
    table += char(used ? g * 255 / (greens - 1) : 0);
    table += char(used ? b * 255 / (blues - 1) : 0);
  }
  return table;
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

std::string compressed(const std::vector<std::uint8_t> &pixels)
{
  constexpr int clear = 1 << bits, end = clear + 1;
  CodeStream stream;
  std::map<std::pair<int, int>, int> code_of;  // (code of what came before, pixel)
  int width = bits + 1, next = end + 1, current = pixels.front();
  stream.put(clear, width);
  for (std::size_t i = 1; i < pixels.size(); ++i)
  {
    const auto found = code_of.find({current, pixels[i]});
    if (found != code_of.end())
    {
      current = found->second;
      continue;
    }
    stream.put(current, width);
    if (next < most_codes)
    {
      code_of[{current, pixels[i]}] = next;
      width += next == 1 << width;
      ++next;
    }
    else
    {
      stream.put(clear, width);
      code_of.clear();
      width = bits + 1;
      next = end + 1;
    }
    current = pixels[i];
  }
  stream.put(current, width);
  stream.put(end, width);
  return stream.finished();
}

void put_image(std::string &out, const Image &image, const int hundredths)
{
  out += std::string("\x21\xf9\x04\x00", 4);  // graphic control: delay
  put_word(out, hundredths);
  out += std::string("\0\0", 2);
  out += '\x2c';  // the picture, as large as the screen
  for (const int value : {0, 0, image.width, image.height})
    put_word(out, value);
  out += '\0';
  out += char(bits);
  std::vector<std::uint8_t> pixels(std::size_t(image.width) * image.height);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = index_of(&image.rgb[3 * i]);
  const std::string data = compressed(pixels);
  constexpr std::size_t block = 255;
  for (std::size_t at = 0; at < data.size(); at += block)
  {
    const std::string part = data.substr(at, block);
    out += char(part.size());
    out += part;
  }
  out += '\0';
}
}  // namespace

void write_gif(const std::string &file, const std::vector<Image> &images, const double delay)
{
  std::string out = "GIF89a";
  put_word(out, images.front().width);
  put_word(out, images.front().height);
  out += char(0xf0 | (bits - 1));
  out += std::string("\0\0", 2);
  out += palette();
  out += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // repeat for ever
  for (const Image &image : images)
  {
    if (image.width != images.front().width || image.height != images.front().height)
      throw std::logic_error("pictures of different sizes in an animation");
    constexpr double hundred = 100;
    put_image(out, image, int(std::lround(hundred * delay)));
  }
  out += '\x3b';
  if (!(std::ofstream(file, std::ios::binary) << out << std::flush))
    throw InputError(file + ": cannot be written. Choose another with --output");
}
}  // namespace symdyn
