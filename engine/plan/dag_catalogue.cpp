// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/dag_catalogue.h"
#include "engine/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <utility>

namespace syncopate {

namespace {

/// SYNDICATE, Table 1: a GPU is an eighth of a node. That half of both peaks is reached is an assumption.
constexpr double reachedShare = 0.5;
constexpr double float32PerSecond = 120e12 / 8 * reachedShare, float16PerSecond = 1000e12 / 8 * reachedShare;
constexpr double memoryBytesPerSecond = 7.2e12 / 8 * reachedShare;

using Ops = std::vector<DagOpId>;

/// Collects ops in the order in which the stream computes them and the application submits them.
class DagBuilder {
public:
    DagBuilder(std::string_view name, std::int32_t processes) {
        m_dag.name = name;
        m_dag.processes = processes;
    }

    DagOpId forward(std::string name, double seconds, Ops parents = {}) {
        return compute({.name = std::move(name), .seconds = seconds, .backward = false, .parents = std::move(parents)});
    }
    DagOpId backward(std::string name, double seconds, Ops parents) {
        return compute({.name = std::move(name), .seconds = seconds, .backward = true, .parents = std::move(parents)});
    }
    DagOpId comm(std::string name, CollectiveKind kind, double bytes, Ops parents, ProcessGroup group = {}) {
        DagOp op{.name = std::move(name), .collective = kind, .sizeBytes = bytes, .parents = std::move(parents)};
        op.group = group;
        m_dag.submissionOrder.push_back(next());
        return add(std::move(op));
    }
    /// `op` waits for `parent` of the previous iteration.
    void waitsForLast(DagOpId op, DagOpId parent) { at(op).previousParents.push_back(parent); }
    void waitsFor(DagOpId op, DagOpId parent) { at(op).parents.push_back(parent); }
    TrainingDag take() { return std::move(m_dag); }

private:
    [[nodiscard]] DagOpId next() const { return DagOpId(m_dag.ops.size()); }
    DagOpId compute(DagOp op) {
        m_dag.computeOrder.push_back(next());
        return add(std::move(op));
    }
    DagOpId add(DagOp op) {
        m_dag.ops.push_back(std::move(op));
        return DagOpId(m_dag.ops.size() - 1);
    }
    DagOp &at(DagOpId op) { return m_dag.ops[op.index()]; }
    TrainingDag m_dag;
};

/// A layer, or a stack of layers computed as one.
struct Block {
    std::string name;
    double parameterBytes = 0, forwardSeconds = 0;
};

/// Fully sharded data parallelism (FairScale): a block's parameters are gathered before its forward and again before its backward
/// op, and its gradients are reduce-scattered. One block is gathered ahead of the one being computed.
class ShardedBlocks {
public:
    ShardedBlocks(DagBuilder &dag, std::vector<Block> blocks) : m_dag(dag), m_blocks(std::move(blocks)) {}

    /// Blocks [begin, end). The first of them also waits for `inputs`.
    void forward(const std::string &prefix, std::size_t begin, std::size_t end, const Ops &inputs) {
        m_gathers.resize(m_blocks.size());
        for (std::size_t b = begin; b < end; ++b) {
            m_gathers[b] = gather("ag-fwd/", b, m_forward.size() >= 2 ? Ops{m_forward[m_forward.size() - 2]} : Ops{});
            Ops parents{m_gathers[b]};
            if (b == begin)
                parents.insert(parents.end(), inputs.begin(), inputs.end());
            m_forward.push_back(m_dag.forward(prefix + m_blocks[b].name, m_blocks[b].forwardSeconds, std::move(parents)));
        }
    }
    /// Blocks [begin, end) in reverse. Returns the last op.
    DagOpId backward(const std::string &prefix, std::size_t begin, std::size_t end) {
        for (std::size_t b = end; b-- > begin;) {
            const DagOpId held = m_backward.size() >= 2 ? m_backward[m_backward.size() - 2] : m_forward.back();
            const DagOpId gathered = gather("ag-bwd/", b, {held});
            m_backward.push_back(m_dag.backward(prefix + m_blocks[b].name, 2 * m_blocks[b].forwardSeconds, {gathered}));
            const DagOpId scattered = m_dag.comm("rs/" + m_blocks[b].name, CollectiveKind::ReduceScatter,
                                                 m_blocks[b].parameterBytes, {m_backward.back()});
            m_dag.waitsForLast(m_gathers[b], scattered);
        }
        return m_backward.back();
    }

private:
    DagOpId gather(const char *prefix, std::size_t block, Ops parents) {
        return m_dag.comm(prefix + m_blocks[block].name, CollectiveKind::AllGather, m_blocks[block].parameterBytes,
                          std::move(parents));
    }
    DagBuilder &m_dag;
    std::vector<Block> m_blocks;
    Ops m_gathers, m_forward, m_backward; ///< gathers per block; forward and backward ops in the order of computing
};

/// A row of SYNDICATE's Table 2.
struct Recommender {
    double megaflopsPerSample, tables, rowValues, pooling, layers, layerWidth, batch;
    bool sharded;
};
constexpr double topShare = 0.01; ///< share of all MLP parameters that the top MLP has

struct RecommenderWork {
    double lookUpSeconds, bottomSeconds, topSeconds; ///< of a forward pass
    double indexBytes, rowBytes, bottomBytes, topBytes;
};
RecommenderWork workOf(const Recommender &model, double flopsPerSecond) {
    const double parameters = model.layers * model.layerWidth * model.layerWidth;
    const double bottomFlops = 2 * (1 - topShare) * parameters, flops = 1e6 * model.megaflopsPerSample;
    const double rows = model.batch * model.tables;
    return {rows * model.pooling * model.rowValues * 4 / memoryBytesPerSecond,
            model.batch * bottomFlops / flopsPerSecond,
            model.batch * (flops - bottomFlops) / flopsPerSecond,
            rows * model.pooling * 8,
            rows * model.rowValues * 4,
            (1 - topShare) * parameters * 4,
            topShare * parameters * 4};
}

/// Fig. 13: data-parallel MLPs, with the tables spread over all processes.
TrainingDag hybrid(DagBuilder dag, const RecommenderWork &work) {
    const DagOpId prepared = dag.comm("a2a-data-prep", CollectiveKind::AllToAll, work.indexBytes, {});
    const DagOpId lookUp = dag.forward("fwd-emb", work.lookUpSeconds, {prepared});
    const DagOpId embedded = dag.comm("a2a-emb-fwd", CollectiveKind::AllToAll, work.rowBytes, {lookUp});
    const DagOpId bottom = dag.forward("fwd-bottom-mlp", work.bottomSeconds);
    const DagOpId top = dag.forward("fwd-top-mlp", work.topSeconds, {bottom, embedded});
    const DagOpId topBack = dag.backward("bwd-top-mlp", 2 * work.topSeconds, {top});
    const DagOpId topSum = dag.comm("ar-top-mlp", CollectiveKind::AllReduce, work.topBytes, {topBack});
    const DagOpId returned = dag.comm("a2a-emb-bwd", CollectiveKind::AllToAll, work.rowBytes, {topBack});
    const DagOpId bottomBack = dag.backward("bwd-bottom-mlp", 2 * work.bottomSeconds, {topBack});
    const DagOpId bottomSum = dag.comm("ar-bottom-mlp", CollectiveKind::AllReduce, work.bottomBytes, {bottomBack});
    const DagOpId update = dag.backward("bwd-emb", 2 * work.lookUpSeconds, {returned});
    dag.waitsForLast(lookUp, update);
    dag.waitsForLast(bottom, bottomSum);
    dag.waitsForLast(top, topSum);
    return dag.take();
}

/// The same with fully sharded MLPs, each with half of the layers.
TrainingDag sharded(DagBuilder dag, const RecommenderWork &work, double layerCount) {
    const auto layers = static_cast<std::size_t>(layerCount), bottomLayers = layers / 2;
    std::vector<Block> blocks;
    for (std::size_t l = 0; l < layers; ++l) {
        const bool isBottom = l < bottomLayers;
        const double share = 1.0 / static_cast<double>(isBottom ? bottomLayers : layers - bottomLayers);
        blocks.push_back({fmt::format("{}-mlp-{}", isBottom ? "bottom" : "top", isBottom ? l : l - bottomLayers),
                          share * (isBottom ? work.bottomBytes : work.topBytes),
                          share * (isBottom ? work.bottomSeconds : work.topSeconds)});
    }
    const DagOpId prepared = dag.comm("a2a-data-prep", CollectiveKind::AllToAll, work.indexBytes, {});
    const DagOpId lookUp = dag.forward("fwd-emb", work.lookUpSeconds, {prepared});
    const DagOpId embedded = dag.comm("a2a-emb-fwd", CollectiveKind::AllToAll, work.rowBytes, {lookUp});
    ShardedBlocks mlps(dag, std::move(blocks));
    mlps.forward("fwd-", 0, bottomLayers, {});
    mlps.forward("fwd-", bottomLayers, layers, {embedded});
    const DagOpId topBack = mlps.backward("bwd-", bottomLayers, layers);
    const DagOpId returned = dag.comm("a2a-emb-bwd", CollectiveKind::AllToAll, work.rowBytes, {topBack});
    (void)mlps.backward("bwd-", 0, bottomLayers);
    const DagOpId update = dag.backward("bwd-emb", 2 * work.lookUpSeconds, {returned});
    dag.waitsForLast(lookUp, update);
    return dag.take();
}

TrainingDag languageModel(DagBuilder dag, std::int32_t, std::int32_t) {
    constexpr double hidden = 2560, tokens = 16 * 512, vocabulary = 250'000, masked = 0.15;
    constexpr double layerParameters = 12 * hidden * hidden, tableParameters = vocabulary * hidden;
    const double layerSeconds = tokens * (2 * layerParameters + 4 * 512 * hidden) / float16PerSecond;
    std::vector<Block> blocks{{"embedding", 2 * tableParameters, tokens * hidden * 2 / memoryBytesPerSecond}};
    for (int l = 0; l < 36; ++l)
        blocks.push_back({fmt::format("layer-{}", l), 2 * layerParameters, layerSeconds});
    blocks.push_back({"head", 2 * tableParameters, masked * tokens * 2 * tableParameters / float16PerSecond});
    const std::size_t count = blocks.size();
    ShardedBlocks layers(dag, std::move(blocks));
    layers.forward("fwd-", 0, count, {});
    (void)layers.backward("bwd-", 0, count);
    return dag.take();
}

TrainingDag visionModel(DagBuilder dag, std::int32_t, std::int32_t) {
    constexpr int buckets = 5;
    constexpr double parameters = 28e6, flops = 2 * 4e9, batch = 64;
    Ops forward, backward;
    for (int b = 0; b < buckets; ++b)
        forward.push_back(dag.forward(fmt::format("fwd-stage-{}", b), batch * flops / buckets / float32PerSecond,
                                      b > 0 ? Ops{forward.back()} : Ops{}));
    for (int b = buckets; b-- > 0;) {
        backward.push_back(dag.backward(fmt::format("bwd-stage-{}", b), 2 * batch * flops / buckets / float32PerSecond,
                                        {backward.empty() ? forward.back() : backward.back()}));
        const DagOpId sum =
            dag.comm(fmt::format("ar-bucket-{}", b), CollectiveKind::AllReduce, 4 * parameters / buckets, {backward.back()});
        dag.waitsForLast(forward[static_cast<std::size_t>(b)], sum);
    }
    return dag.take();
}

/// Tensor parallelism inside nodes, data parallelism across them: in each layer Megatron's two all-reduces per pass, and one of
/// the gradients.
TrainingDag tensorParallel(DagBuilder dag, std::int32_t processes, std::int32_t processesPerNode) {
    constexpr int layers = 32;
    constexpr double hidden = 4096, sequence = 2048, tokens = 2 * sequence;
    const double perNode = processesPerNode, activation = tokens * hidden * 2;
    const double attention = tokens * (2 * 4 * hidden * hidden + 4 * sequence * hidden) / perNode / float16PerSecond;
    const double mlp = tokens * 2 * 8 * hidden * hidden / perNode / float16PerSecond;
    const ProcessGroup node{processesPerNode, 1, 1}, across{processes / processesPerNode, processesPerNode, 1};
    Ops firstOf(layers);
    DagOpId last;
    using Pass = DagOpId (DagBuilder::*)(std::string, double, Ops);
    const auto half = [&](Pass pass, const std::string &name, double seconds) {
        const DagOpId op = (dag.*pass)(name, seconds, last.exists() ? Ops{last} : Ops{});
        last = processesPerNode < 2 ? op : dag.comm("tp-" + name, CollectiveKind::AllReduce, activation, {op}, node);
        return op;
    };
    for (int l = 0; l < layers; ++l) {
        firstOf[static_cast<std::size_t>(l)] = half(&DagBuilder::forward, fmt::format("fwd-attention-{}", l), attention);
        half(&DagBuilder::forward, fmt::format("fwd-mlp-{}", l), mlp);
    }
    for (int l = layers; l-- > 0;) {
        half(&DagBuilder::backward, fmt::format("bwd-mlp-{}", l), 2 * mlp);
        const DagOpId op = half(&DagBuilder::backward, fmt::format("bwd-attention-{}", l), 2 * attention);
        if (across.size < 2)
            continue;
        const DagOpId sum =
            dag.comm(fmt::format("dp-layer-{}", l), CollectiveKind::AllReduce, 12 * hidden * hidden * 2 / perNode, {op}, across);
        dag.waitsForLast(firstOf[static_cast<std::size_t>(l)], sum);
    }
    return dag.take();
}

struct Entry {
    CatalogueDag info;
    std::function<TrainingDag(DagBuilder, std::int32_t processes, std::int32_t processesPerNode)> make;
};

/// A model of Table 2. The paper does not say whether its arithmetic is in float32 or, on tensor cores, in float16.
Entry recommenderEntry(const char *title, const Recommender &model, const char *tables, bool half) {
    Entry entry;
    entry.info = {
        fmt::format("syndicate:a{}{}", title[1], half ? ":fp16" : ""),
        fmt::format("{} of SYNDICATE: a DLRM, {}, {}", title, model.sharded ? "FSDP and tables over all GPUs" : "hybrid parallel",
                    half ? "arithmetic in float16" : "float32"),
        {fmt::format(
             "{:g} MFLOPs a sample, {} tables of {:g} values on average, pooling {:g}, {:g} MLP layers of {:g}, batch {:g} "
             "(SYNDICATE, Table 2).",
             model.megaflopsPerSample, tables, model.rowValues, model.pooling, model.layers, model.layerWidth, model.batch),
         "The ops, their dependencies and the order of submission (SYNDICATE, Fig. 13 and section 6.5.1)."},
        {fmt::format("The batch is per GPU; \"{}\" tables are {:g}; float32 parameters and rows, indices of 8 bytes.", tables,
                     model.tables),
         "FLOPs a sample cover the forward pass. The top MLP has 1 % of the MLPs' parameters (the paper: O(MB), the bottom 100s "
         "of MB); the bottom does 2 FLOPs per parameter, the top and the interaction the rest.",
         "Half of Table 1's peaks is reached."}};
    if (model.sharded)
        entry.info.assumed.emplace_back(
            "Half of the layers in each MLP; parameters are gathered one layer ahead, and again for the backward pass.");
    entry.make = [model, half](DagBuilder dag, std::int32_t, std::int32_t) {
        const RecommenderWork work = workOf(model, half ? float16PerSecond : float32PerSecond);
        return model.sharded ? sharded(std::move(dag), work, model.layers) : hybrid(std::move(dag), work);
    };
    return entry;
}

std::vector<Entry> otherEntries() {
    return {
        {{"syndicate:a5",
          "like A5 of SYNDICATE: XLM-R XL, fully sharded",
          {"36 layers of 2560, 250,000 words (Goyal et al., XLM-R XL); all-gathers and reduce-scatters (SYNDICATE, section "
           "6.5)."},
          {"FairScale's FSDP in float16, each layer a unit, gathered one layer ahead, and again for the backward pass.",
           "16 sequences of 512 tokens a GPU, 15 % of them masked. Half of Table 1's peaks is reached."}},
         languageModel},
        {{"syndicate:a6",
          "like A6 of SYNDICATE: RegNetZ, data parallel",
          {"Data parallel, all-reduces one after the other (SYNDICATE, section 6.5)."},
          {"RegNetZ-4GF: 28 million float32 parameters, 4 billion multiply-adds an image, batch 64 a GPU.",
           "Five equal stages, an all-reduce each (DDP's buckets of 25 MiB). Half of Table 1's peaks is reached."}},
         visionModel},
        {{"gpt:6.7b",
          "GPT-3 6.7B, tensor parallel in a node, data parallel across nodes",
          {"32 layers of 4096, sequences of 2048 (Brown et al., Table 2.1); two all-reduces a pass and layer (Megatron-LM)."},
          {"float16, two sequences a node; no embedding and head. Half of the peaks of SYNDICATE's Table 1 is reached."}},
         tensorParallel},
    };
}

const std::vector<Entry> &entries() {
    static const std::vector<Entry> all = [] {
        std::vector<Entry> catalogue;
        for (const bool half : {false, true}) {
            catalogue.push_back(recommenderEntry("A1", {89, 300, 68, 27, 26, 914, 512, false}, "~100s", half));
            catalogue.push_back(recommenderEntry("A2", {638, 3000, 93, 15, 20, 3375, 1024, false}, "~1000s", half));
            catalogue.push_back(recommenderEntry("A3", {784, 3000, 231, 17, 26, 3210, 512, false}, "~1000s", half));
            catalogue.push_back(recommenderEntry("A4", {60, 3000, 72, 49, 43, 682, 4096, true}, "~1000s", half));
        }
        std::vector<Entry> others = otherEntries();
        std::move(others.begin(), others.end(), std::back_inserter(catalogue));
        return catalogue;
    }();
    return all;
}

const Entry *entryOf(std::string_view name) {
    const auto found =
        std::find_if(entries().begin(), entries().end(), [name](const Entry &entry) { return entry.info.name == name; });
    return found == entries().end() ? nullptr : &*found;
}

} // namespace

const std::vector<CatalogueDag> &catalogueDags() {
    static const std::vector<CatalogueDag> dags = [] {
        std::vector<CatalogueDag> all;
        for (const Entry &entry : entries())
            all.push_back(entry.info);
        return all;
    }();
    return dags;
}

bool isCatalogueDag(std::string_view name) { return name.starts_with("syndicate:") || name.starts_with("gpt:"); }

Result<TrainingDag> catalogueDag(std::string_view name, std::int32_t processes, std::int32_t processesPerNode) {
    const Entry *const entry = entryOf(name);
    if (entry == nullptr) {
        return fail(fmt::format("the catalogue has no training DAG \"{}\"", name),
                    fmt::format("use one of {}", listOfNames(entries(), [](const Entry &each) { return each.info.name; })));
    }
    if (processes < 2 || processesPerNode < 1 || processes % processesPerNode != 0)
        return fail(fmt::format("{} processes, {} to a node, cannot train together", processes, processesPerNode),
                    "choose a cluster of equal nodes with two GPUs or more");
    TrainingDag dag = entry->make(DagBuilder(name, processes), processes, processesPerNode);
    TRY(validateDag(dag));
    return dag;
}

} // namespace syncopate
