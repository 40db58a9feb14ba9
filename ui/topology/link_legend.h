// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace syncopate::ui {

class Theme;
class TopologyView;

/// Legend of a topology's link colours: a strip from zero to the maximum with figures and unit at both ends, or the reason why no
/// link is coloured.
class LinkLegend final : public QWidget {
    Q_OBJECT
public:
    LinkLegend(const Theme &theme, const TopologyView &view, QWidget *parent = nullptr);

    /// Matches the legend to the view's present colours.
    void refresh();
    [[nodiscard]] const QString &text() const { return m_text; } ///< "0 to 3.2 ms saved per iteration ...", or the reason
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    const TopologyView &m_view;
    QString m_low, m_high, m_text; ///< if the ends are empty, only the text is shown
};

} // namespace syncopate::ui
