//===- main.cpp - runs the benchmarks of a GPU ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   tessera-bench-gpu [--device=<name>] [--brief] [--row=<text>] [--configs=<list>] [section...]
//
// Sections: launch elementwise rows wide matmul dequant attention first; all by default. `--row` takes only rows whose
// bench, shape and dtype hold the text, such as "4096x4096x4096 fp16"; `--configs` replaces the candidates of products
// (128x256x64/8/3,... for blocks, warps and stages, with a sixth number split_matmul's splits) and of attention
// (128x128/8/3). Rows have the keys that scripts which measure other systems give theirs. `--brief` takes small
// problems, on any device, to see that everything works. With
// `--first-call=<kernel>` it is one of its own children.
//
//===---------------------------------------------------------------------===//

#include "../FirstCall.h"
#include "Case.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>

using namespace tessera;

static int run(int argc, char **argv) {
  std::string name, firstCall;
  bench::Settings settings;
  std::vector<std::string_view> sections;
  bench::setDevice("cuda:0");
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--brief")
      settings.brief = true;
    else if (bench::option(argument, "--device=", name))
      bench::setDevice(name);
    else if (bench::option(argument, "--row=", settings.row) || bench::option(argument, "--configs=", settings.configs))
      continue;
    else if (!bench::option(argument, "--first-call=", firstCall))
      sections.push_back(argument);
  }
  if (!firstCall.empty())
    return bench::runFirstCall(firstCall);
  const auto wants = [&](std::string_view section) {
    return sections.empty() || std::ranges::find(sections, section) != sections.end();
  };
  std::printf("{\"device\": \"%s\", \"target\": \"%s\"}\n", bench::device().description().c_str(),
              bench::device().target().str().c_str());
  if (wants("launch"))
    bench::measureLaunches(settings);
  constexpr std::string_view timed[] = {"elementwise", "rows", "wide", "matmul", "dequant", "attention"};
  if (std::ranges::any_of(timed, wants)) {
    const bench::Timer timer(bench::device(), settings.brief);
    if (wants("elementwise"))
      bench::measureElementwise(timer, settings);
    if (wants("rows"))
      bench::measureRows(timer, settings);
    if (wants("wide"))
      bench::measureWideRows(timer, settings);
    if (wants("matmul"))
      bench::measureMatmul(timer, settings);
    if (wants("dequant"))
      bench::measureDequant(timer, settings);
    if (wants("attention"))
      bench::measureAttention(timer, settings);
  }
  if (wants("first"))
    bench::measureFirstCalls(argv[0], settings.brief ? 1 : 5);
  return settings.failures ? 1 : 0;
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
