#include "elements/gram/gram_layout.h"

#include <algorithm>
#include <map>

namespace symdyn
{
GramLayout::GramLayout(const GramModel &model) : of_shape(model.shape), row_start{0}, product_start{0}
{
  const int n = of_shape->vectors;
  for (int p = 0; p < of_shape->derived(); ++p)
  {
    for (int a = 0; a < n; ++a)
      if (const double factor = of_shape->G[p * n + a]; factor != 0.)
        entries.push_back({a, factor});
    row_start.push_back(int(entries.size()));
  }
  for (const auto &of_strain : of_shape->strain)
  {
    products.insert(products.end(), of_strain.begin(), of_strain.end());
    product_start.push_back(int(products.size()));
  }
  for (const GramBlock &block : model.blocks)
  {
    blocks.push_back({block.strains, {}});
    packed_size += int(block.strains.size() * (block.strains.size() + 1) / 2);
  }
  find_rates();
  find_pairs();
}

bool GramLayout::fits(const GramModel &model) const
{
  const auto same = [](const BlockLayout &one, const GramBlock &other) { return one.strains == other.strains; };
  return model.shape == of_shape && std::equal(blocks.begin(), blocks.end(), model.blocks.begin(), model.blocks.end(), same);
}

std::vector<double> GramLayout::packed(const GramModel &model) const
{
  std::vector<double> D;
  for (const GramBlock &block : model.blocks)
    for (std::size_t i = 0; i < block.strains.size(); ++i)
      D.insert(D.end(), block.D.begin() + i * block.strains.size(), block.D.begin() + i * block.strains.size() + i + 1);
  return D;
}

void GramLayout::find_rates()
{
  rates.resize(strains());
  for (BlockLayout &block : blocks)
  {
    std::vector<int> place(vectors(), -1);
    const auto add = [&](const int strain, const int row, const int of_vector, const double factor) {
      for (int k = row_start[row]; k < row_start[row + 1]; ++k)
      {
        int &at = place[entries[k].place];
        if (at < 0)
        {
          at = int(block.support.size());
          block.support.push_back(entries[k].place);
        }
        rates[strain].push_back({at, of_vector, factor * entries[k].factor});
      }
    };
    for (const int i : block.strains)
      for (int k = product_start[i]; k < product_start[i + 1]; ++k)
      {
        const auto &[p, q, factor] = products[k];
        add(i, p, q, factor);
        add(i, q, p, factor);
      }
    largest_block = std::max(largest_block, int(3 * block.support.size() * block.strains.size()));
  }
}

void GramLayout::find_pairs()
{
  for (int i = 0; i < strains(); ++i)
  {
    std::map<std::pair<int, int>, double> S;
    for (int product = product_start[i]; product < product_start[i + 1]; ++product)
    {
      const auto &[p, q, factor] = products[product];
      for (int k = row_start[p]; k < row_start[p + 1]; ++k)
        for (int l = row_start[q]; l < row_start[q + 1]; ++l)
        {
          const double value = factor * entries[k].factor * entries[l].factor;
          S[{entries[k].place, entries[l].place}] += value;
          S[{entries[l].place, entries[k].place}] += value;
        }
    }
    pairs.emplace_back();
    for (const auto &[vectors, value] : S)
      pairs.back().push_back({vectors.first, vectors.second, value});
  }
}
}  // namespace symdyn
