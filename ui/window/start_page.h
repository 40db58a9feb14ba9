// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace syncopate::ui {

class LivePicture;
class Theme;

/// Shown while nothing is loaded: the ways to begin.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(const Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

Q_SIGNALS:
    void sampleWanted();
    void tutorialWanted();
    void openWanted();
    void jobWanted(const QString &catalogueName);
    void fileWanted(const QString &path);

private:
    QHBoxLayout *makeButtons(const Theme &theme);
    QWidget *makeCatalogue();
    [[nodiscard]] int livePictureHeight() const; ///< with the gap above it
    void showLivePictureIfItFits();
    void addFile(const QString &text, const QString &path);

    LivePicture *m_live = nullptr;
    QVBoxLayout *m_files = nullptr; ///< the last session and recent files
};

} // namespace syncopate::ui
