# SPDX-License-Identifier: GPL-3.0-or-later
"""The files and settings that a replay reads: job, cluster, strategy as JSON, policy. Errors name file, place and remedy."""
import dataclasses
import json
import math
import os
import re
import reprlib

ITEM_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "bool": 1}
SIZE_UNITS = {"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
MAX_FILE_BYTES = 1 << 30
MAX_ELEMENTS = 1 << 50
MAX_CONCURRENT = 64  # of a channel, as in the engine
MAX_SHOWN = 200  # characters of a value in a message


class InputError(Exception):
    """A bad file or option: what is wrong, where, and how to fix it."""

    def __init__(self, what, remedy, file="", place=""):
        super().__init__("".join(f"{part}: " for part in (":".join(filter(None, (file, place))),) if part) + f"{what}; {remedy}")


class Fields:
    """A JSON object whose values are checked when they are read; `place` is its path in `file`."""

    def __init__(self, value, file, place):
        self.value, self.file, self.place = value, file, place
        if not isinstance(value, dict):
            raise self.error("", "is not an object", "write it as in docs/job-file.md or docs/plan.md, or let syncopate-cli write it")

    @staticmethod
    def of_json(text, path):
        """The content of a file that has been read."""
        try:
            return Fields(json.loads(text, object_pairs_hook=lambda pairs: object_of(pairs, path)), path, "")
        except json.JSONDecodeError as error:
            raise InputError(f"this is not JSON ({error.msg})", "let syncopate-cli write the file again", path, str(error.lineno)) from error
        except ValueError as error:  # a number with thousands of digits
            raise InputError(f"this is not JSON ({error})", "let syncopate-cli write the file again", path) from error
        except RecursionError as error:
            raise InputError("the JSON is nested too deeply", "let syncopate-cli write the file again", path) from error

    def error(self, key, what, remedy):
        return InputError(f"{self.place_of(key) or 'the file'} {what}", remedy, self.file)

    def place_of(self, key):
        return ".".join(filter(None, (self.place, plain(key))))

    def number(self, key, usual=None, low=0.0, high=1e9):
        value = self.value.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise self.error(key, f"is {shown(value)}", f"give a number from {low:g} to {high:g}")
        return value

    def whole(self, key, low, high, usual=None):
        value = self.value.get(key, usual)
        if type(value) is not int or not low <= value <= high:
            raise self.error(key, f"is {shown(value)}", f"give a whole number from {low} to {high}")
        return value

    def text(self, key, usual=None):
        value = self.value.get(key, usual)
        if not isinstance(value, str):
            raise self.error(key, f"is {shown(value)}", "give a text")
        return value

    def items(self, key):
        value = self.value.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, f"is {shown(value)}", "give a list")
        return value

    def objects(self, key):
        place = self.place_of(key)
        return [Fields(item, self.file, f"{place}[{index}]") for index, item in enumerate(self.items(key))]


def shown(value):
    """On one line, without control characters, shortened: YAML's aliases can make a few lines endless."""
    short = reprlib.Repr()
    short.maxstring = MAX_SHOWN if isinstance(value, str) else short.maxstring
    return "missing" if value is None else short.repr(value)


def plain(name):
    """A name that a file gives, as part of a place or list: without quotes where it is one printable line."""
    return name if name.isprintable() and len(name) <= MAX_SHOWN else shown(name)


def object_of(pairs, path):
    """A JSON object; of a key that is given twice, readers differ in which value counts."""
    value = {}
    for key, own in pairs:
        if key in value:
            raise InputError(f"an object has the key {shown(key)} twice", "remove one of them", path)
        value[key] = own
    return value


def read_text(path):
    try:
        if os.path.getsize(path) > MAX_FILE_BYTES:
            raise InputError("the file is larger than 1 GiB", "check that this is the file you meant", path)
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", "check its name and rights", path) from error
    except UnicodeDecodeError as error:
        raise InputError("this is not a text", "give a JSON file; 'syncopate-cli export' writes strategies as JSON", path,
                         f"byte {error.start}") from error


def read_json(path):
    return Fields.of_json(read_text(path), path)


@dataclasses.dataclass
class Variable:
    name: str
    shape: list
    dtype: str
    sparse: bool
    touched: float  # rows of dimension 0 with a gradient

    @property
    def size_bytes(self):
        return math.prod(self.shape) * ITEM_BYTES[self.dtype]

    @property
    def gradient_bytes(self):
        return self.size_bytes * self.touched / self.shape[0] if self.sparse and self.shape else self.size_bytes


@dataclasses.dataclass
class Layer:
    forward: float
    backward: float
    variables: list


@dataclasses.dataclass
class Job:
    layers: list
    update: float = 0.0
    before_send: float = 0.0  # host seconds per byte
    after_receive: float = 0.0


def read_variable(fields, names):
    name, dtype = fields.text("name"), fields.text("dtype", "float32")
    if name in names:
        raise fields.error("name", f"is {shown(name)} a second time", "give every variable its own name")
    if dtype not in ITEM_BYTES:
        raise fields.error("dtype", f"is {shown(dtype)}", f"use one of {', '.join(ITEM_BYTES)}")
    names.add(name)
    shape = fields.items("shape")
    if "shape" not in fields.value or any(type(size) is not int or size < 1 for size in shape) or \
            math.prod(shape) > MAX_ELEMENTS:
        raise fields.error("shape", f"is {shown(fields.value.get('shape'))}", "give dimensions of 1 or more, and no more than 2^50 elements")
    rows = shape[0] if shape else 1
    touched = min(fields.number("rows_touched", 0, 0, 1e18), rows) or rows
    return Variable(name, shape, dtype, fields.value.get("sparse") is True, touched)


def read_job(path):
    fields, names, layers = read_json(path), set(), []
    for layer in fields.objects("layers"):
        if layer.items("collectives"):
            raise layer.error("collectives", "are collectives of the model itself, which are not replayed",
                              "replay a job that is trained data-parallel")
        layers.append(Layer(layer.number("forward_seconds"), layer.number("backward_seconds"),
                            [read_variable(variable, names) for variable in layer.objects("variables")]))
    if not layers:
        raise fields.error("layers", "has no layer", "give a job file (docs/job-file.md)")
    return Job(layers, fields.number("update_seconds", 0), fields.number("host_seconds_per_byte_before_send", 0),
               fields.number("host_seconds_per_byte_after_receive", 0))


@dataclasses.dataclass
class Node:
    address: str
    scale: float = 1.0
    trains: bool = True
    gpus: int = 1  # replicas, of its CPUs where it has no GPU; counted for plans alone


def count_replicas(node):
    """Its GPUs, or where it has none CPU 0 and its other CPUs (docs/cluster-file.md)."""
    for key in ("gpus", "cpus"):
        if any(type(index) is not int for index in node.items(key)):
            raise node.error(key, f"is {shown(node.value[key])}", "give a list of indices")
    return len(node.items("gpus")) or len({0, *node.items("cpus")})


def read_cluster(path, counts_replicas=False):
    """Its nodes and the maximum number of concurrent collectives. Strategies name their replicas, so only plans count them."""
    try:
        import yaml
    except ImportError as error:
        raise InputError("PyYAML is missing", "install it: apt-get install python3-yaml, or pip install pyyaml") from error
    try:
        fields = Fields(yaml.safe_load(read_text(path)), path, "")
    except (yaml.YAMLError, RecursionError, ValueError) as error:  # ValueError: a date that does not exist
        mark = getattr(error, "problem_mark", None)
        raise InputError("this is not YAML", "give a cluster file (docs/cluster-file.md)", path, str(mark.line + 1) if mark else "") from error
    serving = fields.items("server_only")
    nodes = [Node(node.text("address"), node.number("compute_scale", 1, 1e-9, 1e9), node.value.get("address") not in serving,
                  count_replicas(node) if counts_replicas else 1)
             for node in fields.objects("nodes")]
    if not nodes:
        raise fields.error("nodes", "has no node", "give a cluster file (docs/cluster-file.md)")
    if isinstance(fields.value.get("channels"), list):
        return nodes, sum(channel.whole("concurrent", 1, MAX_CONCURRENT, 1) for channel in fields.objects("channels"))
    return nodes, int(fields.number("channels", 1, 1, 1e6))


@dataclasses.dataclass
class Policy:
    name: str = "fifo"
    bucket_cap: float = 25 * 2**20
    first_bucket: float = 2**20
    concurrent: int = 0  # concurrent collectives; 0: as many as the cluster has channels


def read_size(text, place):
    match = re.fullmatch(r"([0-9.eE+]+)\s*([KMG]?i?B?)", text)
    try:
        size = float(match[1]) * SIZE_UNITS[match[2]]
    except (TypeError, KeyError, ValueError):
        size = math.nan
    if not size >= 1:
        raise InputError(f"{shown(text)} is not a size", "write bytes, or a number with KB, MB, KiB or MiB", place)
    return size


def read_policy(text, place="--policy"):
    """fifo and ddp as written by syncopate-cli; policies that cannot be replayed are refused by name. `place`: the origin of the text."""
    match = re.fullmatch(r"([a-z0-9_]+)\s*(?:\((.*)\))?", text.strip())
    if not match or match[1] not in ("fifo", "ddp"):
        raise InputError(f"the policy {shown(text.strip())} is not replayed", "use fifo or ddp(bucket_cap=.., first_bucket=..)", place)
    policy = Policy(match[1], concurrent=1 if match[1] == "ddp" else 0)
    for setting in filter(None, (part.strip() for part in (match[2] or "").split(","))):
        key, _, value = (part.strip() for part in setting.partition("="))
        if policy.name == "ddp" and key in ("bucket_cap", "first_bucket"):
            setattr(policy, key, read_size(value, place))
        elif policy.name == "ddp" and key == "concurrent" and value.isdecimal() and int(value) > 0:
            policy.concurrent = int(value)
        elif key != "form" and (key, value) not in (("barrier", "on"), ("connections", "1"), ("algorithm", "ring")):
            raise InputError(f"{shown(setting)} is not replayed", "leave it out of the policy", place)
    return policy
