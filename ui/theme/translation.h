// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer's texts in other languages: translations/syncopate_LANGUAGE.ts, compiled in. A text means the same wherever it
// stands and is looked up without its context, so that tables and helper functions outside of any class are translated, too
// (translations/update.py). What has no translation is shown in English.
#pragma once

#include <QString>
#include <QStringList>

namespace syncopate::ui {

/// The languages that the explorer speaks, "en" first.
[[nodiscard]] QStringList languages();

/// Speaks the first of `wanted` (as QLocale::uiLanguages() has them: "de-AT", "de", "en") that there is, else English; Qt's own
/// dialogs too, where their translation is installed. Returns that language. To be called before any text is made: tables keep
/// theirs.
QString speak(const QStringList &wanted);

} // namespace syncopate::ui
