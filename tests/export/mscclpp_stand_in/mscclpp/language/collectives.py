# SPDX-License-Identifier: GPL-3.0-or-later
from mscclpp.language.stand_in import AllGather, AllReduce, AllToAll, ReduceScatter
