// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/profile_formats.h"

#include "engine/parse/archive.h"
#include "engine/parse/byte_source.h"
#include "engine/profile/autograd/autograd_trace.h"
#include "engine/profile/chakra/chakra.h"
#include "engine/profile/foreign_formats.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/pipedream/pipedream.h"
#include "engine/profile/ranks/rank_set.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/profile/top_level_keys.h"
#include "engine/profile/torch/execution_trace.h"
#include "engine/profile/torch/kineto.h"
#include "engine/profile/variables/variable_list.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::size_t maxLayerProfileBytes = std::size_t{1} << 28;

using Imported = Result<std::shared_ptr<const ImportedProfile>>;

Imported readKineto(const std::string &path, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    auto source = TRY(openLimited(path, options, progress));
    return importKineto(*source, path, options, std::move(stop));
}

/// Reads a folder or archive of ranks or of timelines.
Imported readParts(const std::string &path, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    if (TRY(formatOfParts(path, stop)) == std::string_view(tensorFlowFormat))
        return importTensorFlow({path}, options, std::move(stop), progress);
    return importRanks({path}, options, std::move(stop), progress);
}

Imported refuseExecutionTrace(const std::string &path, const ImportOptions &, std::stop_token, Progress *) {
    return fail("this is an execution trace, which has no times", "give it together with the Kineto trace of the same rank",
                path);
}

Imported readTensorFlow(const std::string &path, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    return importTensorFlow({path}, options, std::move(stop), progress);
}

Imported readPipeDream(const std::string &path, const ImportOptions &options, std::stop_token, Progress *progress) {
    if (options.step > 0)
        return fail(fmt::format("there is no step {}", options.step), "a layer profile has one step, 0", path);
    const auto source = TRY(openLimited(path, options, progress));
    const auto text = TRY(inFile(readHead(*source, maxLayerProfileBytes + 1), path));
    if (text.size() > maxLayerProfileBytes)
        return fail("this layer profile has more than 256 MiB of text", "check that this is the file you meant", path);
    TRY(inFile(source->checkLimits(text.size(), text.size()), path));
    return importPipeDream(text, path);
}

Imported readAutograd(const std::string &path, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    auto source = TRY(openLimited(path, options, progress));
    return importAutogradTrace(*source, path, options, stop);
}

Imported readChakraFile(const std::string &path, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    auto source = TRY(openLimited(path, options, progress));
    return importChakra(*source, path, options, std::move(stop));
}

Imported refuseForeign(const std::string &path, const ImportOptions &, std::stop_token, Progress *) {
    const auto head = readFileHead(path);
    const ForeignFormat *const foreign = head ? foreignFormatOf(*head) : nullptr;
    return foreign ? fail(foreign->what, foreign->remedy, path) : fail("the file changed while it was read", "try again", path);
}

/// The first format that recognises a file reads it.
constexpr std::array formats{
    ProfileFormat{rankFormats[1], [](const FileHead &head) { return looksLikeArchive(head.text); }, readParts},
    ProfileFormat{rankFormats[2], [](const FileHead &head) { return looksLikeExecutionTrace(head.text); }, refuseExecutionTrace},
    ProfileFormat{tensorFlowFormat, [](const FileHead &head) { return looksLikeTensorFlowTimeline(head.text); }, readTensorFlow},
    ProfileFormat{"PipeDream layer profile", [](const FileHead &head) { return looksLikePipeDream(head.text); }, readPipeDream},
    ProfileFormat{"autograd profiler export", [](const FileHead &head) { return looksLikeAutogradTrace(head.text); },
                  readAutograd},
    ProfileFormat{"file of another kind", [](const FileHead &head) { return foreignFormatOf(head) != nullptr; }, refuseForeign},
    ProfileFormat{"Nsight Systems export", [](const FileHead &head) { return looksLikeSqlite(head.text); }, importNsight},
    ProfileFormat{"Chakra trace", [](const FileHead &head) { return looksLikeChakra(head.text); }, readChakraFile},
    ProfileFormat{rankFormats[0], [](const FileHead &) { return true; }, readKineto}};

} // namespace

Result<std::unique_ptr<ByteSource>> openLimited(const std::string &path, const ImportOptions &options, Progress *progress) {
    auto source = TRY(inFile(ByteSource::openFile(path, progress), path));
    source->setLimits(ReadLimits::of(options.limitBytes));
    return source;
}

Result<FileHead> readFileHead(const std::string &path) {
    const auto source = TRY(inFile(ByteSource::openFile(path), path));
    auto text = TRY(readTextHead(path, FileHead::size));
    return FileHead{std::move(text), source->isCompressed()};
}

Result<const char *> formatOfParts(const std::string &path, const std::stop_token &stop) {
    // The format is that of the first file recognised; what lies beside profiles (a job, a cluster) does not count.
    const char *format = nullptr;
    const auto look = [&](const std::string &, std::unique_ptr<ByteSource> packed) -> Result<Walk> {
        auto source = TRY(ByteSource::unpack(std::move(packed)));
        auto head = TRY(readHead(*source, FileHead::size));
        const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
        if (first == std::string::npos || (head[first] != '{' && head[first] != '['))
            return {};
        const FileHead of{std::move(head), false};
        if (looksLikeJobFile(of) || foreignFormatOf(of))
            return {};
        format = profileFormat(of).name;
        return Walk::Stop;
    };
    const auto looked = forEachPart(path, look, stop);
    if (!looked && looked.error().isCancelled())
        return Unexpected(looked.error());
    return format ? format : rankFormats[0];
}

const ProfileFormat &profileFormat(const FileHead &head) {
    for (const ProfileFormat &format : formats) {
        if (format.sniff(head))
            return format;
    }
    return formats.back();
}

bool looksLikeJobFile(const FileHead &head) {
    const TopLevelKeys keys(head);
    if (head.compressed || !keys.areOfJson())
        return false; // profile readers explain best what is wrong with a file of neither kind
    const JsonKind kind = keys.kind();
    return kind == JsonKind::Job || (kind == JsonKind::Unknown && !keys.isCutOff() && !foreignFormatOf(head));
}

Result<std::shared_ptr<const ImportedProfile>> withListedVariables(Result<std::shared_ptr<const ImportedProfile>> profile,
                                                                   const ImportOptions &options, std::stop_token stop) {
    if (!profile || options.variables.empty())
        return profile;
    const auto list = TRY(readVariableList(options.variables, std::move(stop)));
    return withVariables(**profile, list);
}

std::optional<FileState> stateOfFile(const std::string &path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        return {};
    const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
    return error ? std::nullopt : std::optional(FileState{size, time});
}

Result<std::shared_ptr<const ImportedProfile>> importProfile(const std::string &path, const ImportOptions &options,
                                                             std::stop_token stop, Progress *progress) {
    if (isFolder(path))
        return withListedVariables(readParts(path, options, stop, progress), options, stop);
    if (const ForeignFormat *const foreign = foreignFormatNamed(path))
        return fail(foreign->what, foreign->remedy, path);
    const auto state = stateOfFile(path);
    const auto head = TRY(readFileHead(path));
    const auto profile = TRY(withListedVariables(profileFormat(head).read(path, options, stop, progress), options, stop));
    std::const_pointer_cast<ImportedProfile>(profile)->fileState = state; // nobody else has it yet
    return profile;
}

} // namespace syncopate
