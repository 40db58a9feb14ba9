// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_file.h"

#include <algorithm>

namespace syncopate {

namespace {

/// Compares cheaply: trials are only ever appended, and a history that starts over has another plan.
bool sameSearch(const std::shared_ptr<const SearchState> &a, const std::shared_ptr<const SearchState> &b) {
    if (!a || !b || a == b)
        return a == b;
    const SearchPlan &p = a->plan, &q = b->plan;
    return p.state == q.state && p.method == q.method && p.judge == q.judge && p.objective == q.objective && p.seed == q.seed &&
           p.trials == q.trials && a->history.trials.size() == b->history.trials.size() &&
           a->history.baselines.size() == b->history.baselines.size() && a->pins == b->pins && a->isTuned == b->isTuned &&
           a->history.phases.size() == b->history.phases.size() && a->history.stopped == b->history.stopped;
}

bool sameCurve(const KeptCurve &a, const KeptCurve &b) {
    return a.name == b.name && a.color == b.color && a.shown == b.shown && a.setting == b.setting && a.measured == b.measured &&
           !a.forecast == !b.forecast && (!a.forecast || a.forecast->setting == b.forecast->setting);
}

} // namespace

bool sameContent(const Project &a, const Project &b, const std::vector<std::string> &except) {
    auto views = a.views, otherViews = b.views;
    for (const std::string &name : except) {
        views.erase(name);
        otherViews.erase(name);
    }
    return a.present == b.present && a.scenarios == b.scenarios && views == otherViews && sameSearch(a.search, b.search) &&
           a.pastSearches == b.pastSearches &&
           std::equal(a.curves.begin(), a.curves.end(), b.curves.begin(), b.curves.end(), sameCurve);
}

} // namespace syncopate
