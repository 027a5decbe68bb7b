//===- SearchPlot.cpp - what widening a space bought, as a picture ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/SearchPlot.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace tessera::kernels::lab {

static constexpr double kWidth = 760, kHeight = 400, kLeft = 70, kRight = 20, kTop = 20, kBottom = 60;

[[gnu::format(printf, 2, 3)]] static void append(std::string &text, const char *format, ...) {
  char buffer[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(buffer, sizeof buffer, format, values);
  va_end(values);
  text += buffer;
}

static std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string plotOf(const TuneReport &report, const std::vector<SearchRound> &rounds) {
  double least = 0;
  for (const TuneRow &row : report.rows)
    if (row.samples && row.ms > 0)
      least = least > 0 ? std::min(least, row.ms) : row.ms;
  const double width = kWidth - kLeft - kRight, height = kHeight - kTop - kBottom;
  const double count = static_cast<double>(std::max<std::size_t>(report.rows.size(), 1));
  const auto x = [&](std::size_t candidates) { return kLeft + static_cast<double>(candidates) / count * width; };
  const auto y = [&](double share) { return kTop + (1 - share) * height; };

  std::string svg;
  append(svg,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
         "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n",
         kWidth, kHeight, kWidth, kHeight, kWidth, kHeight);
  for (int percent = 0; percent <= 100; percent += 20)
    append(svg,
           "<line x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%g\" y=\"%.1f\" "
           "text-anchor=\"end\">%d %%</text>\n",
           kLeft, y(percent / 100.0), kWidth - kRight, y(percent / 100.0), kLeft - 6, y(percent / 100.0) + 4, percent);
  for (const SearchRound &round : rounds)
    append(svg,
           "<line x1=\"%.1f\" y1=\"%g\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>"
           "<text x=\"%.1f\" y=\"%g\" text-anchor=\"end\">%zu</text>\n",
           x(round.candidates), kTop, x(round.candidates), y(0), x(round.candidates), kHeight - kBottom + 18,
           round.candidates);
  std::string points;
  double best = 0;
  for (std::size_t i = 0; i != report.rows.size(); ++i) {
    append(points, "%.1f,%.1f ", x(i), y(best));
    if (const TuneRow &row = report.rows[i]; row.samples && row.ms > 0)
      best = std::max(best, least / row.ms);
    append(points, "%.1f,%.1f ", x(i), y(best));
  }
  append(points, "%.1f,%.1f", x(report.rows.size()), y(best));
  svg += "<polyline fill=\"none\" stroke=\"#3060c0\" stroke-width=\"2\" points=\"" + points + "\"/>\n";
  append(svg,
         "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">candidates tried; the space was widened at each dashed "
         "line</text>\n"
         "<text x=\"16\" y=\"%g\" text-anchor=\"middle\" transform=\"rotate(-90 16 %g)\">speed of the best so "
         "far</text>\n",
         kLeft + width / 2, kHeight - 26, kTop + height / 2, kTop + height / 2);
  svg += "<text x=\"" + std::to_string(static_cast<int>(kLeft)) + "\" y=\"" +
         std::to_string(static_cast<int>(kHeight - 8)) + "\" fill=\"#3060c0\">" +
         escaped(report.kernel + " (" + report.arguments + ") " + report.key + " on " + report.device);
  if (!rounds.empty())
    svg += escaped(": " + rounds.back().config + " " + rounds.back().options);
  return svg + "</text>\n</svg>\n";
}

} // namespace tessera::kernels::lab
