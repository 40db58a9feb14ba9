# SPDX-License-Identifier: GPL-3.0-or-later
"""Training DAGs and plans written in short, for tests."""


def op(name, kind, parents=(), previous=(), **more):
    size = {"seconds": 0.004} if kind == "compute" else {"bytes_per_process": 40000}
    return {"name": name, "kind": kind, **size, "parents": list(parents), "parents_previous_iteration": list(previous), **more}


def dag_of(*ops, hosts=4):
    return {"name": "test", "hosts": hosts, "ops": list(ops)}


def motif(kind, channel="e0", segment=(0, 1), spline=(0, 1), group=None, **more):
    """`group`: (size, stride, every)."""
    own = {"group": dict(zip(("size", "stride", "every"), group))} if group else {}
    return {"kind": kind, "channel": channel, "segment": list(segment), "spline": list(spline), **own, **more}


def plan_of(motifs, ahead=(), **more):
    """`motifs`: of each op in the order in which channels run them; `ahead`: ops that run an iteration ahead."""
    motifs = {name: [{"motif": number, **own} for number, own in enumerate(cut)] for name, cut in motifs.items()}
    channels = sorted({own["channel"] for cut in motifs.values() for own in cut})
    order = {channel: [{"op": name, "motif": own["motif"], "iteration_offset": int(name in ahead)}
                       for name, cut in motifs.items() for own in cut if own["channel"] == channel] for channel in channels}
    return {"name": "mine", "dag": "test", "channels": [{"name": name, "links": [name], "gbits": 1} for name in channels],
            "execution_plan": motifs, "order": order, **more}


def chain(*motifs):
    """Each waits for the one before."""
    return [{**own, "after": [number - 1]} if number else own for number, own in enumerate(motifs)]
