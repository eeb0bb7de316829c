# The project's own tests.

# --- Wrong and right solutions -------------------------------------------------------------------------------------

# Grades a wrong solution for every mistake of the catalogue: small edits of right solutions.
add_library(mistake_edits STATIC mistakes/batch.cpp mistakes/edit.cpp mistakes/page.cpp
  mistakes/published.cpp mistakes/table.cpp)
target_link_libraries(mistake_edits PUBLIC app_grader mistake_documents)
compile_at_once(mistake_edits)
add_executable(grade_mistakes EXCLUDE_FROM_ALL mistakes/main.cpp)
target_link_libraries(grade_mistakes PRIVATE mistake_edits)
target_compile_definitions(grade_mistakes PRIVATE
  WORKBOOK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WORKBOOK_BUILD_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(grade_mistakes prepared)

# Grades mutants of right answers: the answer with one small change.
add_library(mutant_makers STATIC
  mutants/equivalent.cpp mutants/figures.cpp mutants/making/function.cpp mutants/making/mutant.cpp mutants/making/operators.cpp
  mutants/making/statement_operators.cpp mutants/making/tokens.cpp mutants/making/wrappers.cpp)
target_link_libraries(mutant_makers PUBLIC app_core)
compile_at_once(mutant_makers)
add_executable(grade_mutants EXCLUDE_FROM_ALL mutants/main.cpp mutants/grader.cpp)
target_link_libraries(grade_mutants PRIVATE mutant_makers mistake_edits)
target_compile_definitions(grade_mutants PRIVATE
  WORKBOOK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WORKBOOK_BUILD_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(grade_mutants prepared)

# --- The project's own tests ---------------------------------------------------------------------------------------

file(GLOB_RECURSE project_test_files app/*_test.cpp reference/*_test.cpp)
list(REMOVE_ITEM project_test_files ${CMAKE_CURRENT_SOURCE_DIR}/app/watch_test.cpp)
set(site_test_files
  site/numpy_to_xtensor_test.cpp site/part_pages_test.cpp site/snippets_test.cpp site/xtensor_traps_test.cpp)
add_executable(project_tests EXCLUDE_FROM_ALL ${project_test_files} app/grading.cpp ${site_test_files})
target_link_libraries(project_tests PRIVATE
  ${all_worked} guard test_support app_commands mistake_edits mutant_makers fast_streaming workbook_threads GTest::gtest_main
  xtensor-blas BLAS::BLAS)
workbook_target(project_tests)
compile_at_once(project_tests)
set_source_files_properties(${site_test_files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # they show snippets of pages
target_compile_definitions(project_tests PRIVATE
  HAVE_CBLAS=1 WORKBOOK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WORKBOOK_BUILD_DIR="${CMAKE_BINARY_DIR}"
  $<$<TARGET_EXISTS:OpenMP::OpenMP_CXX>:WORKBOOK_HAS_OPENMP>)
list(TRANSFORM all_parts PREPEND skeleton_ OUTPUT_VARIABLE skeleton_programs)
add_dependencies(project_tests prepared grade_mistakes grade_mutants ${skeleton_programs})

add_executable(watch_test EXCLUDE_FROM_ALL app/watch_test.cpp)
target_link_libraries(watch_test PRIVATE app_core GTest::gtest)
add_dependencies(project_tests watch_test story_test)

gtest_discover_tests(project_tests DISCOVERY_MODE PRE_TEST PROPERTIES LABELS project RESOURCE_LOCK build_folder)

add_test(NAME Launcher COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/launcher_test.sh ${CMAKE_SOURCE_DIR})
add_test(NAME Update COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/update_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
add_test(NAME CleanAndVersion COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/clean_test.sh ${CMAKE_SOURCE_DIR})
set(copy ${CMAKE_BINARY_DIR}/learners_checkout)
add_test(NAME LearnersCheckout COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/learner_test.sh ${CMAKE_SOURCE_DIR} ${copy})
add_test(NAME Loop COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/loop_test.sh ${CMAKE_SOURCE_DIR} ${copy})
add_test(NAME Watch COMMAND watch_test ${copy})
add_test(NAME Story COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/story_test.sh ${CMAKE_SOURCE_DIR} ${copy})
add_test(NAME RemoveLearnersCheckout COMMAND ${CMAKE_COMMAND} -E rm -rf ${copy})
set_tests_properties(LearnersCheckout PROPERTIES FIXTURES_SETUP learners_checkout COST 1000)
# What grades in the copy locks its build, what writes exercises there its files.
set_tests_properties(Loop Story Watch PROPERTIES
  FIXTURES_REQUIRED learners_checkout RESOURCE_LOCK "learners_build;learners_files")
set_tests_properties(RemoveLearnersCheckout PROPERTIES FIXTURES_CLEANUP learners_checkout)
add_executable(interactive_cases EXCLUDE_FROM_ALL site/interactive_cases.cpp)
target_link_libraries(interactive_cases PRIVATE
  workbook_mistakes workbook_presets ${worked_parts})
add_dependencies(project_tests interactive_cases interactive_data)
add_test(NAME InteractiveDataIsUpToDate
  COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:interactive_data> -D DOCS_DIR=${CMAKE_SOURCE_DIR}/docs
          -D OUTPUT=${CMAKE_BINARY_DIR}/interactive_data.js -P ${CMAKE_CURRENT_SOURCE_DIR}/site/interactive_data_test.cmake)
set_tests_properties(InteractiveDataIsUpToDate PROPERTIES LABELS project)
foreach(where browser node)
  add_test(NAME PagesGiveWhatTheModelsGive.${where}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/site/interactive_test.sh ${where} ${CMAKE_SOURCE_DIR} $<TARGET_FILE:interactive_cases>)
  set_tests_properties(PagesGiveWhatTheModelsGive.${where} PROPERTIES
    LABELS project TIMEOUT 600 SKIP_REGULAR_EXPRESSION "skipped:")
endforeach()
add_test(NAME Interrupt COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/interrupt_test.sh ${CMAKE_SOURCE_DIR})
add_test(NAME FloatAndSanitizers COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/sanitize_test.sh ${CMAKE_SOURCE_DIR} ${copy})
set_tests_properties(FloatAndSanitizers PROPERTIES FIXTURES_REQUIRED learners_checkout)
add_test(NAME StyleIsKept COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/style_test.sh ${CMAKE_SOURCE_DIR})
add_test(NAME Site COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/site/site_test.sh ${CMAKE_SOURCE_DIR})
add_test(NAME HelpIsUpToDate COMMAND ${CMAKE_COMMAND} -D APP=$<TARGET_FILE:app> -D SOURCE_DIR=${CMAKE_SOURCE_DIR}
  -P ${CMAKE_SOURCE_DIR}/app/commands/help.cmake)
# The last in the copy, because it changes it.
add_test(NAME Recipes COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/recipes_test.sh ${CMAKE_SOURCE_DIR} ${copy})
set_tests_properties(Recipes PROPERTIES FIXTURES_REQUIRED learners_checkout
  DEPENDS "Loop;Story;Watch;FloatAndSanitizers;EveryMistakeIsNamed;Benchmarks")
# A dozen mistakes of all kinds; with label "full", all of them, the right solutions in other styles, and the page with the
# table.
add_test(NAME ADozenMistakesAreNamed COMMAND grade_mistakes
  split_by_view lazy_reduction softmax_no_max scale_missing mask_by_row_number wo_missing append_leaves_a_hole
  positions_without_past unwritten_slots_attended head_map_modulo padding_gets_positions cost_keys_only)
set_tests_properties(ADozenMistakesAreNamed PROPERTIES LABELS project TIMEOUT 3600 RESOURCE_LOCK build_folder)
# The longest, so it starts first, and in the learner's checkout, so that tests that grade in the usual folder go on beside it.
add_test(NAME EveryMistakeIsNamed COMMAND grade_mistakes --in ${copy})
set_tests_properties(EveryMistakeIsNamed PROPERTIES
  LABELS full TIMEOUT 3600 COST 1000 FIXTURES_REQUIRED learners_checkout RESOURCE_LOCK learners_build)

add_test(NAME Benchmarks COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/app/shell/bench_test.sh ${CMAKE_SOURCE_DIR} ${copy})
set_tests_properties(Benchmarks PROPERTIES
  LABELS full TIMEOUT 1800 COST 900 FIXTURES_REQUIRED learners_checkout RESOURCE_LOCK learners_files)

# What takes too long for continuous integration.
add_test(NAME EveryMutantFails COMMAND grade_mutants)
set_tests_properties(EveryMutantFails PROPERTIES LABELS long TIMEOUT 14400 RESOURCE_LOCK build_folder)

set_tests_properties(
  Launcher Update CleanAndVersion LearnersCheckout Loop Story Watch RemoveLearnersCheckout Interrupt FloatAndSanitizers
  HelpIsUpToDate Recipes StyleIsKept Site PROPERTIES
  LABELS project TIMEOUT 1800 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
# Long ones first, so that none of them runs alone at the end.
set_tests_properties(StyleIsKept PROPERTIES COST 800)
set_tests_properties(FloatAndSanitizers Site PROPERTIES COST 500)
set_tests_properties(Launcher Interrupt PROPERTIES RESOURCE_LOCK build_folder)
set_tests_properties(StyleIsKept Site Update PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")

