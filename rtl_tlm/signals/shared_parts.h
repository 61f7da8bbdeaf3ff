// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

namespace flitmend {

/// One object per type, made when it is first asked for: what the parts of a network share and a
/// NetworkContext need not know, such as the counters of a mechanism. Each type has a fixed index.
class SharedParts {
 public:
  /// T has a default constructor. The object lives as long as this one.
  template <class T>
  T& get() const {
    const std::size_t index = index_of<T>();
    if (index >= parts_.size()) parts_.resize(index + 1);
    if (!parts_[index]) parts_[index] = std::make_shared<T>();
    return *static_cast<T*>(parts_[index].get());
  }

 private:
  static std::size_t next_index() {
    static std::size_t next = 0;
    return next++;
  }
  template <class T>
  static std::size_t index_of() {
    static const std::size_t index = next_index();
    return index;
  }

  mutable std::vector<std::shared_ptr<void>> parts_;
};

}  // namespace flitmend
