// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/translation.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QTranslator>
#include <memory>
#include <vector>

namespace syncopate::ui {

namespace {

const QString folder = QStringLiteral(":/translations");
const QString english = QStringLiteral("en");

/// All texts are in one context, regardless of the requested one.
class Texts final : public QTranslator {
public:
    [[nodiscard]] QString translate(const char * /*context*/, const char *text, const char * /*comment*/, int n) const override {
        return QTranslator::translate("Syncopate", text, nullptr, n);
    }
};

std::vector<std::unique_ptr<QTranslator>> &installed() {
    static std::vector<std::unique_ptr<QTranslator>> translators;
    return translators;
}

void install(std::unique_ptr<QTranslator> translator) {
    QCoreApplication::installTranslator(translator.get());
    installed().push_back(std::move(translator));
}

/// A language's texts; null: there are none.
std::unique_ptr<QTranslator> textsOf(const QString &language) {
    auto texts = std::make_unique<Texts>();
    return texts->load(QStringLiteral("%1/syncopate_%2.qm").arg(folder, language)) ? std::move(texts) : nullptr;
}

/// Loads the English forms that depend on a number ("1 row", "2 rows"): all other texts are those in the sources.
QString speakEnglish() {
    if (auto texts = textsOf(english))
        install(std::move(texts));
    return english;
}

} // namespace

QStringList languages() {
    QStringList all{english};
    for (const QString &file : QDir(folder).entryList({QStringLiteral("syncopate_*.qm")}, QDir::Files, QDir::Name))
        if (const QString language = file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0); language != english)
            all += language;
    return all;
}

QString speak(const QStringList &wanted) {
    for (const auto &translator : installed())
        QCoreApplication::removeTranslator(translator.get());
    installed().clear();
    const QStringList known = languages();
    for (const QString &locale : wanted) {
        const QString language = locale.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0);
        if (language == english)
            break;
        auto texts = known.contains(language) ? textsOf(language) : nullptr;
        if (!texts)
            continue;
        auto dialogs = std::make_unique<QTranslator>();
        if (dialogs->load(QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            install(std::move(dialogs));
        install(std::move(texts)); // last, as it is asked first
        return language;
    }
    return speakEnglish();
}

QString worded(const Phrase &phrase) {
    return QString::fromStdString(
        phrase.in([](const std::string &text) { return QCoreApplication::translate("Engine", text.c_str()).toStdString(); }));
}

} // namespace syncopate::ui
