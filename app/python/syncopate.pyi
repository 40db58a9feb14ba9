# SPDX-License-Identifier: GPL-3.0-or-later
# Types of the module `syncopate` (docs/python.md). Times are in seconds unless a name says otherwise.
from os import PathLike
from typing import Any, Optional, TypedDict, Union

import numpy

__version__: str

Columns = dict[str, numpy.ndarray]
"""Arrays of equal length by name; pandas.DataFrame() takes it as it is. Texts are arrays of dtype object."""

class Error(ValueError):
    """An error of the engine."""

    what: str
    file: str
    place: str
    remedy: str

class Job:
    @property
    def name(self) -> str: ...
    @property
    def batch_size(self) -> Optional[float]:
        """Samples of a worker's step; None where the profile does not say: rates are then steps/s."""
    @property
    def parameters(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    def layers(self) -> Columns:
        """name, forward_seconds, backward_seconds, size_bytes; in forward order."""
    def spans(self) -> Columns:
        """The profile's measured timeline, columns as Run.spans(). Raises Error where the job is of no profile."""
    def query(self, sql: str, *, rows: int = 100000) -> Columns:
        """The answer to one SELECT over the measured timeline (docs/query.md): int64 where a column has integers only, float64
        where it has numbers or NULL (NaN), else objects. Returns the first `rows` rows, and warns where there are more. Raises
        Error where the job is of no profile."""

class Cluster:
    @property
    def name(self) -> str: ...
    @property
    def nodes(self) -> int: ...
    @property
    def workers(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...

class Strategy:
    def to_json(self) -> str: ...
    def save(self, path: Union[str, PathLike[str]]) -> None:
        """Writes JSON where the path ends in .json, else AutoDist's format; replaces a file."""

class Scenario:
    def __init__(
        self,
        job: Union[Job, str, PathLike[str]],
        cluster: Union[Cluster, str, PathLike[str]],
        strategy: Union[Strategy, str, PathLike[str]],
        *,
        policy: str = "fifo",
        workers: int = ...,
        servers: int = ...,
        bandwidth: Union[float, str] = ...,
        latency: Union[float, str] = ...,
        iterations: int = 4,
        fold: bool = True,
        variables: str = "",
        measured: str = "",
        batch_size: float = ...,
        curves: str = "",
        background: str = "",
        sharing: str = "fluid",
        seed: int = 1,
    ) -> None:
        """Settings mean what the options of `syncopate-cli simulate` mean: bandwidth in Gbit/s, latency in seconds, or texts
        with a unit. Settings left out are the job's or the cluster's."""
    @property
    def job(self) -> Job: ...
    @property
    def cluster(self) -> Cluster: ...
    @property
    def strategy(self) -> Strategy: ...
    @property
    def policy(self) -> str: ...

class RecordingFigures(TypedDict):
    iteration_seconds: float
    confidence: Optional[float]
    compute_seconds: float
    communication_seconds: float
    exposed_communication_seconds: float
    host_wait_seconds: float
    copy_seconds: float
    overlap_ratio: float
    samples_per_second: Optional[float]
    workers: int
    events: int
    wall_seconds: float
    peak_memory_bytes: float

class Figures(RecordingFigures):
    steps_per_second: float
    parameter_bytes: float
    optimizer_bytes: float
    gradient_bytes: float
    server_memory_bytes: float

class PlanFigures(RecordingFigures):
    compute_idle_ratio: float
    lower_bound_seconds: float

class Recording:
    """The figures common to a simulation and a played plan."""

    @property
    def iteration_seconds(self) -> float: ...
    @property
    def confidence(self) -> Optional[float]:
        """By what share the long run may differ from iteration_seconds; None where it is not steady."""
    @property
    def compute_seconds(self) -> float: ...
    @property
    def communication_seconds(self) -> float: ...
    @property
    def exposed_communication_seconds(self) -> float: ...
    @property
    def host_wait_seconds(self) -> float:
        """The compute stream waits for the host that launches its work."""
    @property
    def copy_seconds(self) -> float:
        """Of a simulation 0: a job's layers have their copies in their durations."""
    @property
    def overlap_ratio(self) -> float: ...
    @property
    def samples_per_second(self) -> Optional[float]:
        """None where the job does not say its batch, and of a training DAG, which has no samples."""
    @property
    def workers(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def wall_seconds(self) -> float: ...
    @property
    def peak_memory_bytes(self) -> float:
        """For a plan, the bytes of its collectives' buffers in a process."""
    @property
    def assumptions(self) -> list[str]: ...
    def spans(self) -> Columns:
        """lane (str), worker (int32, -1: a server), start_ns, end_ns (int64, from the run's start), category, label, variable
        (str, empty: none or several), size_bytes (float64, 0: no traffic). One row a span, lane by lane in start order."""
    def save_trace(self, path: Union[str, PathLike[str]]) -> None:
        """Writes the timeline as Chrome JSON, for Perfetto; replaces a file."""

class Run(Recording):
    @property
    def steps_per_second(self) -> float: ...
    @property
    def parameter_bytes(self) -> float: ...
    @property
    def optimizer_bytes(self) -> float: ...
    @property
    def gradient_bytes(self) -> float: ...
    @property
    def server_memory_bytes(self) -> float: ...
    @property
    def scenario(self) -> Scenario: ...
    def figures(self) -> Figures:
        """All figures, by the names that `simulate --json` has for them."""
    def table(self) -> Columns:
        """The table of variables, with the columns of `simulate --table`: texts, and numbers as float64. `group` is the lowest
        all-reduce group of a variable's parts (-1: none), `groups` a text that names all of them, as "0..3 7"."""
    def query(self, sql: str, *, rows: int = 100000) -> Columns:
        """The answer to one SELECT over the run's spans, steps, tasks, variables and links; columns as Job.query()."""

class PlannedRun(Recording):
    @property
    def compute_idle_ratio(self) -> float:
        """Share of an iteration in which the compute stream waits."""
    @property
    def lower_bound_seconds(self) -> float:
        """No plan of these collectives on these channels is faster."""
    @property
    def plan(self) -> str:
        """Its title, with the planner and the DAG."""
    def figures(self) -> PlanFigures:
        """All figures, by the names that `simulate --json` of a training DAG has for them."""
    def table(self) -> Columns:
        """A settled iteration, a row for each compute-op, then for each motif: op, kind, motif, channel (str, the last two empty of
        a compute-op), sent_bytes (float64, by a process), start_seconds, end_seconds (float64, from the iteration's start)."""
    def query(self, sql: str, *, rows: int = 100000) -> Columns:
        """The answer to one SELECT over the plan's spans, tasks and links; columns as Job.query()."""
    def to_json(self) -> str:
        """The plan as a plan file (docs/plan.md)."""
    def save(self, path: Union[str, PathLike[str]], *, format: str = "json", op: str = "") -> list[str]:
        """Writes the plan as `syncopate-cli plan --format` does, replacing a file; op as --op. Returns the parts that the format
        cannot express."""

class Comparison(TypedDict):
    a: Figures
    b: Figures
    delta_seconds: float

class SearchResult:
    @property
    def best_from(self) -> str:
        """\"trial 17\", or the builder that no trial beat."""
    @property
    def best_strategy(self) -> Strategy: ...
    @property
    def best_iteration_seconds(self) -> float: ...
    @property
    def baselines(self) -> dict[str, float]:
        """Iteration seconds of each builder; NaN where it cannot be judged."""
    def trials(self) -> Columns:
        """trial, iteration_seconds, exposed_communication_seconds, best_so_far_seconds, hit_rate, ps_variables, shards, servers,
        groups, error; iteration_seconds is NaN where a trial was not judged, exposed_communication_seconds also
        where the judge does not tell it.
        best_so_far_seconds is the iteration time of the trial that is best by the objective, NaN before the first."""

class SettingsFinding(TypedDict):
    fault: str
    """refused, wrong-unit, harmful, ignored or note"""
    setting: str
    place: str
    """Its line, where it has one."""
    text: str
    remedy: str

class LeftOutSetting(TypedDict):
    setting: str
    text: str
    """The setting simulated in its place."""

class SettingsPrediction(TypedDict):
    system: str
    policy: str
    iteration_seconds: float
    cost_seconds: float
    """Longer than at best."""
    default_policy: str
    default_iteration_seconds: float
    best_policy: str
    best_iteration_seconds: float
    left_out: list[LeftOutSetting]
    """Settings that the prediction does not follow."""

class SettingsReport(TypedDict):
    systems: list[str]
    findings: list[SettingsFinding]
    predictions: list[SettingsPrediction]

class CatalogEntry(TypedDict):
    name: str
    signature: str
    description: str

def load_job(
    name_or_path: Union[str, PathLike[str]], *, variables: str = "", measured: str = "", batch_size: float = 0
) -> Job:
    """batch_size: samples of a worker's step, where the profile does not say."""
def load_cluster(name_or_path: Union[str, PathLike[str]]) -> Cluster: ...
def build_strategy(
    expression_or_file: Union[str, PathLike[str]],
    job: Union[Job, str, PathLike[str]],
    cluster: Union[Cluster, str, PathLike[str]],
) -> Strategy: ...
def simulate(scenario: Scenario) -> Run: ...
def plan(
    job: Union[Job, str, PathLike[str]],
    cluster: Union[Cluster, str, PathLike[str]],
    method: Union[str, PathLike[str]] = "syndicate",
    *,
    collectives: str = "",
    evaluations: Optional[int] = None,
    workers: int = ...,
    bandwidth: Union[float, str] = ...,
    latency: Union[float, str] = ...,
    costs: Union[str, list[str]] = ...,
    incast: Union[float, str] = ...,
    variables: str = "",
    measured: str = "",
    batch_size: float = ...,
    seed: int = 1,
) -> PlannedRun:
    """Plans the collectives of a training DAG (of the catalogue, or a file), of a profile or Chakra trace as they were recorded, or
    of a job's data-parallel training, and plays the plan. method: a planner of `plan --method`, or a plan file. Settings mean what
    the options of `syncopate-cli plan` mean; evaluations are those of each chain of a planner that searches."""
def compare(a: Union[Run, Scenario], b: Union[Run, Scenario]) -> Comparison: ...
def search(
    scenario: Scenario,
    method: str = "random()",
    *,
    judge: str = "simulated()",
    trials: int = 200,
    seed: int = 1,
    objective: str = "iteration",
    threads: int = 0,
) -> SearchResult: ...
def lint_settings(
    settings: Union[str, PathLike[str]],
    job: Union[Job, str, PathLike[str], None] = None,
    cluster: Union[Cluster, str, PathLike[str], None] = None,
    **options: Any,
) -> SettingsReport:
    """The findings of `syncopate-cli lint` on a launcher's settings (docs/settings-lint.md): a file, or the text itself. With a
    job and a cluster, options are those that change either: workers, servers, bandwidth, latency, variables, measured, batch_size."""
def catalog(kind: str) -> list[CatalogEntry]:
    """Of kind jobs, clusters, builders, policies, methods or judges. The signature is the name with all arguments and their
    defaults, of jobs and clusters the name."""
