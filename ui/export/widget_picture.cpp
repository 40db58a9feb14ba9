// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/widget_picture.h"

#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QPicture>
#include <QWidget>
#include <utility>

namespace syncopate::ui {

namespace {

/// Puts a theme on until it goes out of scope.
class ThemeFor final {
public:
    ThemeFor(Theme &theme, bool dark) : m_theme(theme), m_before(theme.setting()), m_changes(theme.isDark() != dark) {
        if (m_changes)
            m_theme.setSetting(dark ? Theme::Setting::Dark : Theme::Setting::Light);
    }
    ~ThemeFor() {
        if (m_changes)
            m_theme.setSetting(m_before);
    }
    ThemeFor(const ThemeFor &) = delete;
    ThemeFor &operator=(const ThemeFor &) = delete;

private:
    Theme &m_theme;
    Theme::Setting m_before;
    bool m_changes;
};

/// QCustomPlot paints its widget from a pixmap; asked directly, it draws lines and text.
void drawPlots(QPainter &painter, QWidget &widget) {
    for (QCustomPlot *plot : widget.findChildren<QCustomPlot *>()) {
        if (!plot->isVisibleTo(&widget) || plot->size().isEmpty())
            continue;
        QPicture recorded;
        QCPPainter recorder(&recorded);
        recorder.setMode(QCPPainter::pmVectorized);
        recorder.setMode(QCPPainter::pmNoCaching);
        plot->toPainter(&recorder, plot->width(), plot->height());
        recorder.end();
        painter.save();
        painter.translate(plot->mapTo(&widget, QPoint(0, 0)));
        painter.setClipRect(QRect(QPoint(0, 0), plot->size()));
        painter.fillRect(QRect(QPoint(0, 0), plot->size()), plot->palette().color(QPalette::Base));
        painter.drawPicture(0, 0, recorded);
        painter.restore();
    }
}

} // namespace

Picture pictureOfWidget(QWidget &widget, Theme &theme, const QString &title) {
    Picture picture;
    picture.title = title;
    picture.size = widget.size();
    picture.paint = [&theme, widget = QPointer<QWidget>(&widget)](QPainter &painter, const PaintTarget &target) {
        if (!widget)
            return; // closed meanwhile
        const ThemeFor themed(theme, target.dark);
        painter.fillRect(widget->rect(), theme.color(ColorId::Surface));
        widget->render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
        drawPlots(painter, *widget);
    };
    return picture;
}

} // namespace syncopate::ui
