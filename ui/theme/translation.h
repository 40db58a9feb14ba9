// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer's texts in other languages: translations/syncopate_LANGUAGE.ts, compiled in. A text means the same everywhere and
// is looked up without its context, so that tables and helper functions outside of any class are translated, too
// (translations/update.py). Texts without a translation are shown in English.
#pragma once

#include "engine/base/phrase.h"

#include <QString>
#include <QStringList>

namespace syncopate::ui {

/// The languages that the explorer is available in, "en" first.
[[nodiscard]] QStringList languages();

/// Switches to the first available language of `wanted` (as QLocale::uiLanguages() returns them: "de-AT", "de", "en"), else
/// English; Qt's own dialogs too, if their translation is installed. Returns that language. Call before any text is created:
/// tables keep theirs.
QString speak(const QStringList &wanted);

/// The engine's phrase in the explorer's language; values that are names or figures stay as they are.
[[nodiscard]] QString worded(const Phrase &phrase);

} // namespace syncopate::ui
