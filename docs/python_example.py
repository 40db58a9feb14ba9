#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How strategies synchronise BERT-large on four nodes of four GPUs, and what decides between them (docs/python.md).

A notebook as a plain script: run it, or paste its cells.
"""

import numpy as np

import syncopate

# %% The inputs: catalogues of jobs and clusters, or your own files in their place.
job = syncopate.load_job("bert_large")
cluster = syncopate.load_cluster("B7")
layers = job.layers()
print(f"{job.name}: {len(layers['name'])} layers, {layers['size_bytes'].sum() / 1e9:.2f} GB of variables")
print(f"{cluster.name}: {cluster.workers} workers on {cluster.nodes} nodes")

# %% Every builder with its defaults.
for builder in syncopate.catalog("builders"):
    name = builder["name"]
    try:
        run = syncopate.simulate(syncopate.Scenario(job, cluster, name))
    except syncopate.Error as refused:
        print(f"{name:24} {refused.what}; {refused.remedy}")
        continue
    print(f"{name:24} {run.iteration_seconds:8.4f} s   exposed {run.exposed_communication_seconds:8.4f} s")

# %% A curve: bandwidth against iteration time.
for gbits in np.geomspace(1, 100, 5):
    run = syncopate.simulate(syncopate.Scenario(job, cluster, "AllReduce", policy="ddp", bandwidth=gbits))
    print(f"{gbits:8.2f} Gbit/s {run.iteration_seconds:8.4f} s")

# %% Spans are arrays: how long each lane of the run communicates, by category.
spans = run.spans()
seconds = (spans["end_ns"] - spans["start_ns"]) / 1e9
for category in np.unique(spans["category"]):
    of_it = spans["category"] == category
    print(f"{category:12} {of_it.sum():6} spans {seconds[of_it].sum():9.4f} s {spans['size_bytes'][of_it].sum() / 1e9:8.3f} GB")

# %% Which variables take longest from their gradient to its sum?
table = run.table()
print(", ".join(table))

# %% Two scenarios side by side, then a short search for a better strategy.
plain = syncopate.Scenario(job, cluster, "PSLoadBalancing")
both = syncopate.compare(plain, run)
print(f"B takes {both['delta_seconds']:+.4f} s an iteration more than A")
found = syncopate.search(plain, "random()", trials=8, seed=1)
trials = found.trials()
print(f"best: {found.best_from}, {found.best_iteration_seconds:.4f} s; hit rate {trials['hit_rate'][-1]:.2f}")
