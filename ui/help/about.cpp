// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/about.h"

#include "ui/theme/qcustomplot.h"

#include <QCoreApplication>
#include <QSysInfo>
#include <fmt/core.h>

namespace syncopate::ui {

QString aboutText() {
    const auto tr = [](const char *text) { return QCoreApplication::translate("About", text); };
    QString compiler =
#if defined(__clang__)
        QStringLiteral("Clang " __clang_version__);
#elif defined(__GNUC__)
        QStringLiteral("GCC " __VERSION__);
#else
        QStringLiteral("C++");
#endif
    return QStringLiteral("<h3>Syncopate %1</h3><p>%2</p><p>%3</p><p>%4</p>")
        .arg(QStringLiteral(SYNCOPATE_VERSION), tr("An explorer of how distributed training synchronises variables."),
             tr("Qt %1 (built with %2), QCustomPlot %3, fmt %4, %5, on %6.")
                 .arg(QString::fromLatin1(qVersion()), QStringLiteral(QT_VERSION_STR), QStringLiteral(QCUSTOMPLOT_VERSION_STR))
                 .arg(QStringLiteral("%1.%2.%3").arg(FMT_VERSION / 10000).arg(FMT_VERSION / 100 % 100).arg(FMT_VERSION % 100),
                      compiler.trimmed().toHtmlEscaped(), QSysInfo::prettyProductName().toHtmlEscaped()),
             tr("Free software under the GNU General Public License, version 3 or later: you may use, study, share and change "
                "it. It comes "
                "without any warranty."));
}

} // namespace syncopate::ui
