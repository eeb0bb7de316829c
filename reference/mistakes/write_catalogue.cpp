// Writes the documents of mistakes as code (written.hpp): write_catalogue DOCUMENTS_FOLDER CATALOGUE_CPP
//
// A choice becomes an assignment at its place in the document (#line), so that the compiler checks every name and says
// where a wrong one stands. Each is written once, however many mistakes make it.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "reference/mistakes/documents.hpp"

namespace {

using workbook::mistakes::Document;
using workbook::mistakes::NamedChoice;

std::string quoted(const std::string& text) {
    std::ostringstream literal;
    literal << std::quoted(text);
    return literal.str();
}

// The choices of all documents.
class Choices {
public:
    // The place of a choice, which is a new one when nobody has made it before.
    std::size_t place_of(const NamedChoice& choice, const std::filesystem::path& file) {
        const auto found = std::ranges::find_if(all_, [&](const NamedChoice& other) {
            return other.decision == choice.decision && other.choice == choice.choice;
        });
        if (found == all_.end()) {
            all_.push_back(choice);
            files_.push_back(file);
            return all_.size() - 1;
        }
        return static_cast<std::size_t>(found - all_.begin());
    }

    void write_table(std::ostream& code) const {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            code << "void take_" << i << "(Decisions& d);\n";
        }
        code << "\nconst Choice choices[] = {\n";
        for (std::size_t i = 0; i < all_.size(); ++i) {
            code << "    {" << quoted(all_[i].decision) << ", " << quoted(all_[i].choice) << ", take_" << i << "},\n";
        }
        code << "};\n";
    }

    void write_functions(std::ostream& code) const {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const auto& [decision, choice, line] = all_[i];
            const bool is_name = std::isalpha(static_cast<unsigned char>(choice.front())) != 0;
            code << "void take_" << i << "(Decisions& d) {\n#line " << line << " " << quoted(files_[i].string())
                 << "\n    d." << decision << " = " << (is_name ? "decltype(d." + decision + ")::" : "") << choice
                 << ";\n}\n";
        }
    }

private:
    std::vector<NamedChoice> all_;
    std::vector<std::filesystem::path> files_;
};

void write_ways(std::ostream& code, const Document& document, Choices& choices) {
    code << "const int ways_of_" << document.id << "[] = {";
    for (const auto& way : document.ways) {
        for (const NamedChoice& choice : way) {
            code << choices.place_of(choice, document.file) << ", ";
        }
        code << "end_of_way, ";
    }
    code << "};\n";
}

void write_mistake(std::ostream& code, const Document& document) {
    code << "    {";
    for (const std::string& text : {document.id, document.step, document.title, document.mechanism, document.hides}) {
        code << quoted(text) << ",\n     ";
    }
    code << quoted(document.look) << ", " << (document.ways.empty() ? "{}" : "ways_of_" + document.id) << "},\n";
}

std::string code_of(const std::vector<Document>& documents) {
    std::ostringstream code;
    code << "// Written by write_catalogue from the documents in reference/mistakes.\n"
         << "#include \"reference/mistakes/written.hpp\"\n\nnamespace workbook::mistakes {\nnamespace {\n\n";
    Choices choices;
    for (const Document& document : documents) {
        if (!document.ways.empty()) {
            write_ways(code, document, choices);
        }
    }
    code << "\nconst WrittenMistake mistakes[] = {\n";
    for (const Document& document : documents) {
        write_mistake(code, document);
    }
    code << "};\n\n";
    choices.write_table(code);
    code << "}  // namespace\n\nstd::span<const Choice> written_choices() { return choices; }\n\n"
         << "std::span<const WrittenMistake> written_mistakes() { return mistakes; }\n\nnamespace {\n\n";
    choices.write_functions(code);
    code << "\n}  // namespace\n}  // namespace workbook::mistakes\n";
    return code.str();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "expected DOCUMENTS_FOLDER and CATALOGUE_CPP\n";
        return 2;
    }
    try {
        const std::string code = code_of(workbook::mistakes::read_documents(argv[1]));
        if (workbook::app::read_file(argv[2]) != code) {  // what is made of the same code stays up to date
            workbook::app::write_atomically(argv[2], code);
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
