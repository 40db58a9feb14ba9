// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/model_table.h"
#include "ui/export/picture_file.h"
#include "ui/session/session.h"
#include "ui/timeline/time_axis.h"

#include <QImage>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QRect>
#include <array>
#include <memory>
#include <vector>

namespace syncopate::ui {

class MessageBar;
class Panels;
class Panes;
class Theme;

/// What can be exported from a window: pictures and tables, to the clipboard or, through the export sheet, to files.
class Exports final : public QObject {
    Q_OBJECT
public:
    Exports(QWidget &window, Theme &theme, Session &session, Panes &panes, Panels &panels, MessageBar &messages);

    /// Readout, overview, panes and difference, enlarged by `scale`.
    [[nodiscard]] QImage picture(int scale);
    void copyPicture();
    /// The timelines of all shown sides, with every lane, over the stretch of A on screen, aligned as there, or the whole
    /// iteration.
    [[nodiscard]] Picture timelinePicture(bool wholeIteration) const;
    /// timelinePicture(), then every open panel.
    [[nodiscard]] std::vector<Picture> pictures(bool wholeIteration) const;
    /// The tables of all open panels.
    [[nodiscard]] std::vector<NamedTable> tables() const;
    void openSheet();

private:
    using Runs = std::array<std::shared_ptr<const ShownRun>, 2>;
    [[nodiscard]] Runs runs() const { return {m_session.run(Side::A), m_session.run(Side::B)}; }
    /// What all pieces of one picture have to agree in.
    struct Shown {
        Runs runs;
        std::array<TimeAxis::Range, 2> windows;
        QSize size;
        QList<QRect> places; ///< of the pieces
        bool operator==(const Shown &) const = default;
    };
    [[nodiscard]] Shown shown() const;
    [[nodiscard]] QImage blankPicture(int scale) const;
    void drawPiece(QImage &picture, QWidget &piece, int scale);
    void copyNext(const std::shared_ptr<QImage> &picture, const Shown &copied, const QList<QPointer<QWidget>> &rest);

    QWidget &m_window;
    Theme &m_theme;
    Session &m_session;
    Panes &m_panes;
    Panels &m_panels;
    MessageBar &m_messages;
};

} // namespace syncopate::ui
