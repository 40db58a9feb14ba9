#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records how long the layers of a model take in many real training steps, for the workers of run.sh to replay.

    python3 record_steps.py --model alexnet --steps 40 --shrink 32 --step-seconds 0.12 --output jobs/alexnet

writes OUTPUT.job.json (docs/job-file.md; each layer has its median times) and OUTPUT.steps.csv (one line per recorded step:
seconds of every layer's forward and backward). Needs PyTorch and torchvision; no accelerator.

A layer is a convolution or a linear map with what follows it (normalisation, activation, pooling). Its forward lasts until the
next layer's starts, its backward from when the gradients of the layer after it were ready until its own are. Times are CPU
times of the one thread that computes, so other work on the machine does not count, though it disturbs the caches. All times
are then multiplied by one factor, which makes the median step as long as --step-seconds, and every variable has
1/--shrink of its elements: a device that many times faster, and a model that much smaller.
"""
import argparse
import json
import os
import statistics
import time

os.environ["OMP_NUM_THREADS"] = "1"
import torch
import torchvision


def layers_of(model, images):
    """[(name, module, [(variable name, parameter)])] in order of execution; normalisations belong to the layer before them."""
    order, hooks = [], []
    for name, module in model.named_modules():
        if list(module.parameters(recurse=False)):
            hooks.append(module.register_forward_pre_hook(lambda module, _, name=name: order.append((name, module))))
    with torch.no_grad():
        model(images)
    for hook in hooks:
        hook.remove()
    layers = []
    for name, module in order:
        variables = [(f"{name}/{key}", value) for key, value in module.named_parameters(recurse=False)]
        if isinstance(module, (torch.nn.Conv2d, torch.nn.Linear)):
            layers.append((name, module, variables))
        else:
            layers[-1][2].extend(variables)
    return layers


def record(model, layers, images, labels, steps, warmup):
    """Per step [(forward seconds, backward seconds)] for every layer, in CPU time."""
    started, ready = [], {}
    for index, (_, module, variables) in enumerate(layers):
        module.register_forward_pre_hook(lambda *_: started.append(time.thread_time()))
        for _, parameter in variables:
            parameter.register_hook(lambda _, index=index: ready.__setitem__(index, time.thread_time()))
    loss_function = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
    rows = []
    for step in range(warmup + steps):
        optimizer.zero_grad()
        started.clear()
        ready.clear()
        loss = loss_function(model(images), labels)
        middle = time.thread_time()
        loss.backward()
        optimizer.step()
        if step < warmup:
            continue
        starts = started + [middle]
        forward = [starts[index + 1] - starts[index] for index in range(len(layers))]
        backward, previous = [0.0] * len(layers), middle
        for index in reversed(range(len(layers))):
            backward[index] = max(0.0, ready[index] - previous)
            previous = max(previous, ready[index])
        rows.append(list(zip(forward, backward)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["alexnet", "resnet50", "googlenet"], required=True)
    parser.add_argument("--output", required=True, help="path without .job.json and .steps.csv")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--warmup", type=int, default=2)
    parser.add_argument("--shrink", type=int, default=1)
    parser.add_argument("--step-seconds", type=float, required=True)
    options = parser.parse_args()

    torch.manual_seed(1)
    torch.set_num_threads(1)
    extra = {"aux_logits": False, "init_weights": False} if options.model == "googlenet" else {}
    model = getattr(torchvision.models, options.model)(weights=None, **extra)
    images = torch.randn(options.batch, 3, 224, 224)
    labels = torch.randint(0, 1000, (options.batch,))
    layers = layers_of(model, images)
    rows = record(model, layers, images, labels, options.steps, options.warmup)

    totals = [sum(forward + backward for forward, backward in row) for row in rows]
    factor = options.step_seconds / statistics.median(totals)
    rows = [[(round(forward * factor, 6), round(backward * factor, 6)) for forward, backward in row] for row in rows]
    elements = sum(parameter.numel() for parameter in model.parameters())
    job = {
        "name": options.model if options.shrink == 1 else f"{options.model}_over{options.shrink}",
        "batch_size": options.batch,
        "notes": [
            f"torchvision {torchvision.__version__} {options.model}, {elements} elements, batch {options.batch}: "
            f"{options.steps} recorded training steps on one CPU core, PyTorch {torch.__version__}, after {options.warmup} more.",
            f"A recorded step took {statistics.median(totals):.3f} s (median); all times are multiplied by {factor:.6f}.",
            f"Every variable has 1/{options.shrink} of its elements, at least one.",
            "Layers in order of execution; each has the median of its times over the steps.",
        ],
        "layers": [
            {
                "name": name,
                "forward_seconds": round(statistics.median(row[index][0] for row in rows), 6),
                "backward_seconds": round(statistics.median(row[index][1] for row in rows), 6),
                "variables": [{"name": variable, "shape": [max(1, parameter.numel() // options.shrink)], "dtype": "float32"}
                              for variable, parameter in variables],
            }
            for index, (name, _, variables) in enumerate(layers)
        ],
    }
    with open(f"{options.output}.job.json", "w", encoding="utf-8") as file:
        layers_text = ",\n  ".join(json.dumps(layer) for layer in job.pop("layers"))
        file.write(json.dumps(job, indent=1)[:-2] + ',\n "layers": [\n  ' + layers_text + "\n ]\n}\n")
    with open(f"{options.output}.steps.csv", "w", encoding="utf-8") as file:
        file.write(",".join(f"{name}:{part}" for name, _, _ in layers for part in ("forward", "backward")) + "\n")
        for row in rows:
            file.write(",".join(f"{value:.6f}" for pair in row for value in pair) + "\n")
    spread = [total * factor for total in sorted(totals)]
    print(f"{options.output}: {len(layers)} layers, {sum(len(v) for _, _, v in layers)} variables, {len(rows)} steps of "
          f"{spread[0]:.4f} to {spread[-1]:.4f} s")


if __name__ == "__main__":
    main()
