// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/motion.h"

#include <QApplication>
#include <QSettings>
#include <QStyle>

namespace syncopate::ui {

namespace {

constexpr int movementMs = 150; ///< long enough to follow, short enough not to wait for
bool isMotionAllowed = false;   ///< read and written on the GUI thread only

QString motionSetting() { return QStringLiteral("animations"); }

} // namespace

void allowMotion(bool allowed) { isMotionAllowed = allowed; }

bool isMotionWanted() { return QSettings().value(motionSetting(), true).toBool(); }

void setMotionWanted(bool wanted) { QSettings().setValue(motionSetting(), wanted); }

int motionMilliseconds() {
    const bool moves =
        isMotionAllowed && isMotionWanted() && QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0;
    return moves ? movementMs : 0;
}

} // namespace syncopate::ui
