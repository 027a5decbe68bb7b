//===- Drawing.cpp - performance against what tuning cost --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Records.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tessera::tune {

namespace {

constexpr double kWidth = 760, kHeight = 420, kLeft = 70, kRight = 20, kTop = 20, kBottom = 50;
constexpr const char *kColours[] = {"#3060c0", "#c04030", "#309050", "#9050b0",
                                    "#c08020", "#208090", "#806040", "#505050"};

/// After so many seconds the best candidate so far ran at this share of the speed of the best of all.
struct Point {
  double seconds, share;
};

std::vector<Point> curveOf(const Group &group) {
  std::vector<Point> points;
  const std::ptrdiff_t fastest = group.fastest();
  if (fastest < 0)
    return points;
  const double least = group.records[static_cast<std::size_t>(fastest)].time.ms;
  double cost = 0, best = 0;
  for (const rt::TuneRecord &record : group.records) {
    cost += (record.compileMs + record.timingMs) / 1000;
    if (record.time.samples && record.time.ms > 0)
      best = std::max(best, least / record.time.ms);
    points.push_back({cost, std::min(best, 1.0)});
  }
  return points;
}

std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

/// 1, 2 or 5 times a power of ten, so that about five of them make \p range.
double stepFor(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (power * factor) <= 6)
      return power * factor;
  return power * 10;
}

} // namespace

std::string drawingOf(const std::vector<Group> &groups) {
  std::vector<std::pair<const Group *, std::vector<Point>>> curves;
  double longest = 0;
  for (const Group &group : groups)
    if (std::vector<Point> curve = curveOf(group); !curve.empty()) {
      longest = std::max(longest, curve.back().seconds);
      curves.emplace_back(&group, std::move(curve));
    }
  longest = std::max(longest, 1e-3);
  const double width = kWidth - kLeft - kRight, height = kHeight - kTop - kBottom;
  const auto x = [&](double seconds) { return kLeft + seconds / longest * width; };
  const auto y = [&](double share) { return kTop + (1 - share) * height; };

  const double total = kHeight + 20.0 * static_cast<double>(curves.size());
  std::string svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
                  "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
                  "fill=\"white\"/>\n",
                  kWidth, total);
  for (int percent = 0; percent <= 100; percent += 20)
    svg += fmt::format(
        "<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{} %</text>\n",
        kLeft, y(percent / 100.0), kWidth - kRight, y(percent / 100.0), kLeft - 6, y(percent / 100.0) + 4, percent);
  const double step = stepFor(longest);
  for (double seconds = 0; seconds <= longest * 1.0001; seconds += step)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", x(seconds),
                       kHeight - kBottom + 18, seconds);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">seconds of compiling and timing</text>\n",
                     kLeft + width / 2, kHeight - 10);
  svg +=
      fmt::format("<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">speed of the best "
                  "so far</text>\n",
                  kTop + height / 2);
  for (std::size_t i = 0; i != curves.size(); ++i) {
    const auto &[group, curve] = curves[i];
    const char *colour = kColours[i % std::size(kColours)];
    std::string path;
    double last = 0;
    for (const Point &point : curve) {
      path += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x(point.seconds), y(last), x(point.seconds), y(point.share));
      last = point.share;
    }
    path += fmt::format("{:.1f},{:.1f}", x(longest), y(last));
    svg += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>\n", colour, path);
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", kLeft, kHeight + 14 + 20 * static_cast<int>(i), colour,
        escaped(fmt::format("{} ({}) {} on {}: {} candidates, best {:.5g} ms", group->problem.kernel,
                            group->problem.arguments, group->problem.key, group->problem.device, group->records.size(),
                            group->records[static_cast<std::size_t>(group->fastest())].time.ms)));
  }
  return svg + "</svg>\n";
}

} // namespace tessera::tune
