// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/table_texts.h"

#include "engine/base/input_file.h"

#include <algorithm>
#include <filesystem>

namespace syncopate {

std::vector<std::string> tableTexts(const std::string &folder) {
    std::vector<std::string> files, texts;
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".csv" || entry.path().extension() == ".json")
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    for (const std::string &file : files)
        texts.push_back(readInputFile(file).value_or(""));
    return texts;
}

} // namespace syncopate
