// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/temporary_folder.h"

#include <cstdlib>
#include <string>

namespace syncopate {

Result<TemporaryFolder> TemporaryFolder::make() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "syncopate-XXXXXX").string();
    if (failed || mkdtemp(name.data()) == nullptr)
        return fail("there is no folder for temporary files", "set TMPDIR to a folder that can be written, or make room there");
    return TemporaryFolder(name);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace syncopate
