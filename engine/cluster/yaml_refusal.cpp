// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/yaml_refusal.h"

#include <exception>

namespace syncopate {

Result<Cluster> readYamlCluster(std::string_view text, const std::string &file, const YamlFormat &format,
                                const std::function<Result<Cluster>(const YAML::Node &root)> &read) {
    if (text.size() > format.maxBytes)
        return fail(fmt::format("{} of this size is not read", format.file), "check that this is the file you meant", file);
    try {
        return inFile(read(YAML::Load(std::string(text))), file);
    } catch (YamlRefusal &refusal) {
        return Unexpected(inFile(std::move(refusal.error), file));
    } catch (const YAML::Exception &exception) {
        return fail(fmt::format("this is {}: {}", format.isNot, exception.msg), "correct the text there", file,
                    exception.mark.is_null() ? std::string{"1"} : fmt::format("{}", exception.mark.line + 1));
    } catch (const std::exception &exception) {
        return fail(fmt::format("the file cannot be read: {}", exception.what()), fmt::format("check that it is {}", format.file),
                    file);
    }
}

} // namespace syncopate
