//===- SettingsTest.cpp - options, environment, log, files -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Environment.h"
#include "Support/Files.h"
#include "Support/Hash.h"
#include "Support/Log.h"
#include "Support/Options.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include "tessera/core/Reflect.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tessera;
using namespace tessera::support;
using tessera::test::ScopedEnvironment;
using tessera::test::wordsOf;
using testing::HasSubstr;

// Whoever adds a field to CompileOptions must say in Options.def whether it changes code.
TEST(Options, listNamesEveryField) {
  const std::vector<OptionValue> values = optionValues({});
  ASSERT_EQ(values.size(), detail::fieldCount<CompileOptions>);
  for (std::size_t i = 0; i != values.size(); ++i)
    EXPECT_EQ(values[i].name, detail::fieldNames<CompileOptions>[i]);
}

TEST(Options, defaultsAreInRange) { EXPECT_EQ(checkOptions({}), ""); }

TEST(Options, describesWhatDiffers) {
  EXPECT_EQ(describeOptions({}), "defaults");
  EXPECT_EQ(describeOptions({.num_warps = 8, .fp_contract = false}), "num_warps=8 fp_contract=0");
}

TEST(Options, whatChangesCodeIsInTheKey) {
  const std::string usual = optionKey({});
  EXPECT_NE(optionKey({.num_warps = 8}), usual);
  EXPECT_NE(optionKey({.num_stages = 5}), usual);
  EXPECT_NE(optionKey({.cluster = 2}), usual);
  EXPECT_NE(optionKey({.max_registers = 128}), usual);
  EXPECT_NE(optionKey({.waves_per_eu = 2}), usual);
  EXPECT_NE(optionKey({.fp_contract = false}), usual);
  EXPECT_NE(optionKey({.deterministic = true}), usual);
  EXPECT_NE(optionKey({.checks = true}), usual);
  EXPECT_NE(optionKey({.line_info = true}), usual);
}

TEST(Options, whatOnlyAsksOfTheCodeIsNotInTheKey) {
  const std::string usual = optionKey({});
  EXPECT_EQ(optionKey({.max_spill_bytes = 0}), usual);
  EXPECT_EQ(optionKey({.min_vector_bytes = 16}), usual);
  EXPECT_EQ(optionKey({.require_matrix_unit = true}), usual);
}

TEST(Options, saysWhatIsOutOfRange) {
  EXPECT_EQ(checkOptions({.num_warps = 3}), "option num_warps is 3; it must be a power of two; try 4");
  EXPECT_EQ(checkOptions({.num_warps = 0}), "option num_warps is 0; it must lie between 1 and 32");
  EXPECT_EQ(checkOptions({.num_stages = 99}), "option num_stages is 99; it must lie between 1 and 16");
}

TEST(Environment, splitsLists) {
  const ScopedEnvironment set("TESSERA_DUMP", "tile, asm,,passes ");
  EXPECT_EQ(environmentList(Variable::Dump), (std::vector<std::string>{"tile", "asm", "passes"}));
  EXPECT_EQ(environment(Variable::DumpDir), "");
}

TEST(Environment, readsNumbers) {
  EXPECT_EQ(environmentNumber(Variable::Faults, 20, 1, 100), 20);
  const ScopedEnvironment set("TESSERA_FAULTS", "7");
  EXPECT_EQ(environmentNumber(Variable::Faults, 20, 1, 100), 7);
}

TEST(Environment, refusesWhatIsNoNumber) {
  for (const char *value : {"many", "7x", "0", "101", "99999999999999999999"}) {
    const ScopedEnvironment set("TESSERA_FAULTS", value);
    EXPECT_THAT(wordsOf<UsageError>([] { environmentNumber(Variable::Faults, 20, 1, 100); }),
                testing::AllOf(HasSubstr("TESSERA_FAULTS is `"), HasSubstr("it must be a number between 1 and 100")));
  }
}

TEST(Environment, readsChoices) {
  const ScopedEnvironment kept("TESSERA_CACHE", "");
  unsetenv("TESSERA_CACHE");
  EXPECT_EQ(environmentChoice(Variable::Cache, {"rw", "ro", "off"}), 0u);
  const ScopedEnvironment set("TESSERA_CACHE", "off");
  EXPECT_EQ(environmentChoice(Variable::Cache, {"rw", "ro", "off"}), 2u);
  EXPECT_THAT(wordsOf<UsageError>([] { environmentChoice(Variable::Cache, {"a", "b", "c"}); }),
              HasSubstr("TESSERA_CACHE is `off`; it must be a, b or c"));
}

TEST(Environment, listIsDocumented) {
  for (const VariableInfo &variable : variables()) {
    EXPECT_TRUE(std::string_view(variable.name).starts_with("TESSERA_"));
    EXPECT_GT(std::string_view(variable.help).size(), 20u);
  }
}

// docs/environment.md shows the same table.
TEST(Environment, pageListsThem) {
  const std::filesystem::path root = std::filesystem::path(__FILE__).parent_path() / "../../..";
  std::ifstream file(root / "docs/environment.md");
  if (!file)
    GTEST_SKIP() << "the source tree is not where the tests were built from";
  std::stringstream text;
  text << file.rdbuf();
  for (const VariableInfo &variable : variables())
    EXPECT_THAT(text.str(), HasSubstr("| `" + std::string(variable.name) + "` | " + variable.help + " |"));
}

TEST(Log, equalNotesAreWrittenOnce) {
  std::vector<std::string> lines;
  resetLog([&](std::string_view line) { lines.emplace_back(line); });
  for (const char *line : {"full", "empty", "full"})
    noteOnce(line);
  note("full");
  resetLog();
  EXPECT_THAT(lines, testing::ElementsAre("tessera: note: full\n", "tessera: note: empty\n", "tessera: note: full\n"));
}

TEST(Log, writesTopicsThatAreAskedFor) {
  const ScopedEnvironment set("TESSERA_LOG", "launch");
  std::string seen;
  resetLog([&](std::string_view line) { seen += line; });
  EXPECT_TRUE(logs(LogTopic::Launch));
  EXPECT_FALSE(logs(LogTopic::Compile));
  log(LogTopic::Launch, "kernel `add`");
  EXPECT_EQ(seen, "tessera: launch: kernel `add`\n");
  resetLog();
}

TEST(Log, notesNeedNotBeAskedFor) {
  std::string seen;
  resetLog([&](std::string_view line) { seen += line; });
  note("kernel `add`");
  EXPECT_EQ(seen, "tessera: note: kernel `add`\n");
  resetLog();
}

TEST(Log, refusesUnknownTopics) {
  const ScopedEnvironment set("TESSERA_LOG", "lunch");
  resetLog();
  EXPECT_EQ(wordsOf<UsageError>([] { logs(LogTopic::Launch); }),
            "TESSERA_LOG names `lunch`; it takes a list of: compile, launch, tune, all");
  unsetenv("TESSERA_LOG");
  resetLog();
}

TEST(Hash, tellsSequencesApart) {
  EXPECT_NE(FieldHasher().add("ab").add("c").finish(), FieldHasher().add("a").add("bc").finish());
  EXPECT_NE(FieldHasher().add(12).add(3).finish(), FieldHasher().add(1).add(23).finish());
  EXPECT_EQ(hashText("tessera").hex().size(), 32u);
  EXPECT_EQ(hashText("tessera"), hashText("tessera"));
}

TEST(Files, writesAndAppends) {
  const std::string folder = testing::TempDir() + "/tessera-files/a";
  EXPECT_EQ(writeFile(folder, "x.txt", "one"), "");
  EXPECT_EQ(writeFile(folder, "x.txt", "two", true), "");
  std::ifstream file(folder + "/x.txt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), "onetwo");
  EXPECT_THAT(writeFile(folder + "/x.txt", "y", ""), HasSubstr("cannot make folder"));
  std::filesystem::remove_all(testing::TempDir() + "/tessera-files");
}

TEST(Files, namesAreHarmless) { EXPECT_EQ(fileNamePart("a/b:c d-1_2"), "a_b_c_d-1_2"); }

TEST(Errors, nameTheLine) {
  const std::source_location here = std::source_location::current();
  const std::string words = wordsOf<UsageError>([&] { throw UsageError(here, "seen; rule; hint"); });
  EXPECT_THAT(words, HasSubstr("SettingsTest.cpp:" + std::to_string(here.line()) + ":"));
  EXPECT_THAT(words, testing::EndsWith(": seen; rule; hint"));
}

TEST(Errors, shareOneBase) {
  EXPECT_THROW(throw CompileError("x"), Error);
  EXPECT_THROW(throw DeviceError("x"), Error);
  EXPECT_THROW(throw InternalError("x"), std::runtime_error);
}
