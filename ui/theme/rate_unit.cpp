// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/rate_unit.h"

#include <QCoreApplication>

namespace syncopate::ui {

namespace {

struct RateUnitText {
    Q_DECLARE_TR_FUNCTIONS(RateUnit)
};

} // namespace

QString rateUnitText(bool statesBatch) { return statesBatch ? RateUnitText::tr("samples/s") : RateUnitText::tr("steps/s"); }

QString unknownBatchText() {
    return RateUnitText::tr("–: the profile does not say how many samples a step has. State the batch in the panel Profile.");
}

} // namespace syncopate::ui
