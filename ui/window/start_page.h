// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace syncopate::ui {

class Theme;

/// What is shown while nothing is loaded: the ways to begin.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(const Theme &theme, QWidget *parent = nullptr);

Q_SIGNALS:
    void sampleWanted();
    void tutorialWanted();
    void openWanted();
    void jobWanted(const QString &catalogueName);
};

} // namespace syncopate::ui
