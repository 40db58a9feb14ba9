// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QLatin1String>

namespace syncopate::ui {

/// The value of `given` under `name`, or that of `usual` if it is missing or of another type: project files may come from
/// anywhere.
[[nodiscard]] inline QJsonValue settingOf(const QJsonObject &given, const QJsonObject &usual, const char *name) {
    const QLatin1String key(name);
    const QJsonValue value = given.value(key), fallback = usual.value(key);
    return value.type() == fallback.type() ? value : fallback;
}

} // namespace syncopate::ui
