// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace syncopate::ui {

class Theme;
class TopologyView;

/// What the colours of a topology's links mean: a strip from nothing to most with the figures and unit of both ends, or why no
/// link is coloured.
class LinkLegend final : public QWidget {
    Q_OBJECT
public:
    LinkLegend(const Theme &theme, const TopologyView &view, QWidget *parent = nullptr);

    /// As the view is painted now.
    void refresh();
    [[nodiscard]] const QString &text() const { return m_text; } ///< "0 to 3.2 ms per Gb/s more", or the reason
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    const TopologyView &m_view;
    QString m_low, m_high, m_text; ///< without ends the text alone is shown
};

} // namespace syncopate::ui
