// SPDX-License-Identifier: Apache-2.0
#include "support/picture.h"

#include <png.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace flitmend {

std::map<std::uint32_t, unsigned> Picture::colours(unsigned left) const {
  std::map<std::uint32_t, unsigned> count;
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = left; x < width; ++x) {
      const std::uint8_t* p = &rgb[3 * (std::size_t{y} * width + x)];
      ++count[std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2]];
    }
  return count;
}

Picture read_picture(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    throw std::runtime_error(path + ": " + image.message);
  image.format = PNG_FORMAT_RGB;
  Picture picture{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  if (!png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr))
    throw std::runtime_error(path + ": " + image.message);
  return picture;
}

std::vector<WaveRow> grab_waves(const std::string& view, const std::string& picture,
                                const std::string& options) {
  const std::string command =
      "'" WAVES_TO_PNG "' '" + view + "' '" + picture + "' --rows " + options + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  if (pclose(pipe) != 0) throw std::runtime_error(text);
  std::vector<WaveRow> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    rows.push_back({line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1)});
  }
  return rows;
}

}  // namespace flitmend
