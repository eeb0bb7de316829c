// What makes the pages: computed blocks, shapes, pictures.
#include <gtest/gtest.h>

#include "docs/figures/figures.hpp"
#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"
#include "docs/tables/shapes.hpp"
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/documents.hpp"

namespace {

using namespace workbook;  // NOLINT(google-build-using-namespace)

const std::string source_dir = WORKBOOK_SOURCE_DIR;

testing::AssertionResult has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? testing::AssertionSuccess() << "it has " << part
                                                : testing::AssertionFailure() << "no " << part << " in\n"
                                                                              << text;
}

// --- Numbers and marks ---------------------------------------------------------------------------------------------

TEST(PageNumbers, HaveTheUnitsThatFit) {
    EXPECT_EQ(docs::grouped(131072), "131,072");
    EXPECT_EQ(docs::binary(131072), "128\u00a0KiB");
    EXPECT_EQ(docs::binary(1536), "1.5\u00a0KiB");
    EXPECT_EQ(docs::decimal(8.39e6), "8.39\u00a0M");
    EXPECT_EQ(docs::duration(0.66), "0.66\u00a0s");
    EXPECT_EQ(docs::duration(0.0205), "20.5\u00a0ms");
}

const docs::Blocks two_blocks{{"one", [] { return std::string("1"); }},
                              {"table", [] { return std::string("| a |\n|---|\n"); }}};

TEST(PageBlocks, ReplaceWhatStandsBetweenMarks) {
    EXPECT_EQ(docs::filled("is <!-- computed: one -->7<!-- end -->.", two_blocks),
              "is <!-- computed: one -->1<!-- end -->.");
}

TEST(PageBlocks, KeepTheSpaceBeforeTheEndMark) {
    EXPECT_EQ(docs::filled("<!-- computed: one -->7 <!-- end -->B", two_blocks),
              "<!-- computed: one -->1 <!-- end -->B");
}

TEST(PageBlocks, PutEmptyLinesAroundTables) {
    EXPECT_EQ(docs::filled("<!-- computed: table --><!-- end -->", two_blocks),
              "<!-- computed: table -->\n\n| a |\n|---|\n\n<!-- end -->");
}

TEST(PageBlocks, AreTheSameWhenFilledTwice) {
    const std::string once = docs::filled("<!-- computed: table --><!-- end -->", two_blocks);
    EXPECT_EQ(docs::filled(once, two_blocks), once);
}

TEST(PageBlocks, RefuseUnknownNamesAndMissingEnds) {
    EXPECT_THROW(static_cast<void>(docs::filled("<!-- computed: two --><!-- end -->", two_blocks)), docs::MarkError);
    EXPECT_THROW(static_cast<void>(docs::filled("<!-- computed: one -->", two_blocks)), docs::MarkError);
    EXPECT_THROW(
        static_cast<void>(docs::filled("<!-- computed: one --><!-- computed: one --><!-- end -->", two_blocks)),
        docs::MarkError);
}

// --- Shapes --------------------------------------------------------------------------------------------------------

class PageShapes : public testing::Test {
protected:
    // The extents that a line of the page says for this small call.
    [[nodiscard]] static std::vector<std::size_t> page(int part, const std::string& name, std::size_t n_kv_heads) {
        const docs::Symbols symbols{
            {"B", 2}, {"T", 3}, {"S", 5}, {"C", 7}, {"D", 24}, {"H", 4}, {"Hkv", n_kv_heads}, {"G", 4 / n_kv_heads},
            {"d", 6}, {"n", 3}};
        for (const docs::ShapeLine& line : docs::shape_lines(part)) {
            if (line.name == name) {
                return docs::extents_of(line.shape, symbols);
            }
        }
        ADD_FAILURE() << "the page of part " << part << " has no " << name;
        return {};
    }

    template <class Array>
    [[nodiscard]] static std::vector<std::size_t> of(const Array& array) {
        return {array.shape().begin(), array.shape().end()};
    }

    // A layer of four heads of width 6, and a cache that holds two tokens in each of two rows.
    [[nodiscard]] static Attention layer(std::size_t n_kv_heads) {
        const std::size_t width = n_kv_heads * 6;
        return {{.d_model = 24, .n_heads = 4, .n_kv_heads = n_kv_heads},
                {xt::eye<Scalar>(24), xt::ones<Scalar>({std::size_t{24}, width}),
                 xt::ones<Scalar>({std::size_t{24}, width}), xt::eye<Scalar>(24)}};
    }
    const Tensor<3> x_ = xt::ones<Scalar>({2, 3, 24});
};

TEST_F(PageShapes, OfPart1AreThoseOfTheCode) {
    const Projected projected = layer(4).project(x_, call_positions({0, 0}, 3));
    const KeyValues kv(projected.k, projected.v);
    EXPECT_EQ(of(x_), page(1, "`x`", 4));
    EXPECT_EQ(of(layer(4).weights().wk), page(1, "`wk`, `wv`", 4));
    EXPECT_EQ(of(linear(x_, layer(4).weights().wq)), page(1, "`linear(x, wq)`", 4));
    EXPECT_EQ(of(projected.q), page(1, "`q`", 4));
    EXPECT_EQ(of(projected.k), page(1, "`k`, `v`", 4));
    EXPECT_EQ(of(view_heads(projected.q, 1, 2)), page(1, "`view_heads(q, b, h)`", 4));
    EXPECT_EQ(of(merge_heads(projected.q)), page(1, "`merge_heads(context)`", 4));
    EXPECT_EQ(of(layer(4).forward(x_)), page(1, "output", 4));
}

TEST_F(PageShapes, OfParts2And3AreThoseOfTheCode) {
    for (const int part : {2, 3}) {
        const std::size_t n_kv_heads = part == 2 ? 4 : 2;
        KVCache cache(2, n_kv_heads, 7, 6);
        const Tensor<3> y = layer(n_kv_heads).forward(xt::view(x_, xt::all(), xt::range(0, 2)), cache);
        const Projected projected = layer(n_kv_heads).project(x_, call_positions(cache.lengths(), 3));
        cache.append(projected.k, projected.v, {3, 3});
        EXPECT_EQ(of(projected.q), page(part, "`q`", n_kv_heads));
        EXPECT_EQ(of(projected.k), page(part, "`k`, `v`", n_kv_heads));
        EXPECT_EQ(of(cache.keys()), page(part, "`cache.keys()`, `cache.values()`", n_kv_heads));
        EXPECT_EQ(cache.live().kv_len(1), page(2, "`cache.live()`", n_kv_heads)[2]);
        EXPECT_EQ(of(layer(n_kv_heads).attend(projected.q, cache.live(), call_positions({2, 2}, 3))),
                  page(part, part == 2 ? "`context`" : "`out` reshaped", n_kv_heads));
        if (part == 3) {
            EXPECT_EQ(of(view_heads(projected.q, 1, 2, 2)), page(3, "`group` = `view_heads(q, b, g·G, G)`", 2));
            EXPECT_EQ(of(cache.live().keys(1, 1)), page(3, "`kv.keys(b, g)`, `kv.values(b, g)`", 2));
        }
    }
}

// --- Pictures ------------------------------------------------------------------------------------------------------

TEST(MistakeFigures, ShowMasksHeadMapsAndCaches) {
    for (const char* id : {"mask_missing", "head_map_modulo", "append_at_zero", "split_by_view"}) {
        const std::optional<figures::Svg> figure = figures::mistake_figure(mistakes::find(id));
        ASSERT_TRUE(figure) << id;
        EXPECT_TRUE(has(figure->file(), "<title id=\"mistake_" + std::string(id))) << id;
        EXPECT_TRUE(has(figure->file(), "<desc id=\"mistake_" + std::string(id))) << id;
    }
}

TEST(MistakeFigures, SayInWordsWhatIsWrong) {
    const std::string file = figures::mistake_figure(mistakes::find("mask_strict"))->file();
    EXPECT_TRUE(has(file, "Query 3 misses 3."));
}

TEST(MistakeFigures, AreLeftOutWhereThereIsNothingToSee) {
    for (const char* id : {"scale_missing", "softmax_base_two", "cost_operations", "input_changed"}) {
        EXPECT_FALSE(figures::mistake_figure(mistakes::find(id))) << id;
    }
}

TEST(MistakeFigures, AreShownByTheDocumentsOfTheirMistakes) {
    for (const mistakes::Document& document : mistakes::read_documents(source_dir + "/reference/mistakes")) {
        EXPECT_EQ(document.has_figure, figures::mistake_figure(mistakes::find(document.id)).has_value())
            << document.file << (document.has_figure ? ": there is no picture to show" : ": the picture is not shown");
    }
}

}  // namespace
