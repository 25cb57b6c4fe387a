#pragma once
#include <memory>
#include <vector>

namespace symdyn
{
/// A list whose copies share its elements, so that a term in a step costs no copy of them. It grows while a deck is read, before there are
/// copies; clear() leaves those alone.
template <class T>
class SharedList
{
public:
  void push_back(T element) { all->push_back(std::move(element)); }
  void clear() { all = std::make_shared<std::vector<T>>(); }
  bool empty() const { return all->empty(); }
  std::size_t size() const { return all->size(); }
  const T &operator[](const std::size_t i) const { return (*all)[i]; }
  const T &front() const { return all->front(); }
  T &back() { return all->back(); }
  typename std::vector<T>::const_iterator begin() const { return all->begin(); }
  typename std::vector<T>::const_iterator end() const { return all->end(); }
  /// The place of one of its elements.
  std::size_t index(const T &element) const { return std::size_t(&element - all->data()); }

private:
  std::shared_ptr<std::vector<T>> all = std::make_shared<std::vector<T>>();
};
}  // namespace symdyn
