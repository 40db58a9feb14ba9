// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

class QCustomPlot;
class QLabel;

namespace syncopate::ui {

/// A plot, and a text in its place while there is nothing to draw: empty axes look like a result. Whichever is shown takes the
/// focus, if the plot does.
class PlotOrText final : public QStackedWidget {
    Q_OBJECT
public:
    /// Takes the plot. `text` says what it will show.
    explicit PlotOrText(QCustomPlot *plot, const QString &text = {});

    void setText(const QString &text); ///< empty: the plot is shown without data, too
    void setEmpty(bool empty);

private:
    void showPage();

    QLabel *m_text;
    bool m_empty = true;
};

} // namespace syncopate::ui
