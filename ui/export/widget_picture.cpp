// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/widget_picture.h"

#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QPicture>
#include <QWidget>
#include <memory>
#include <utility>

namespace syncopate::ui {

namespace {

/// Sets a theme on a widget until it goes out of scope.
class ThemeFor final {
public:
    ThemeFor(QWidget &widget, Theme &theme, bool dark)
        : m_widget(&widget), m_theme(theme), m_before(widget.testAttribute(Qt::WA_SetPalette) ? widget.palette() : QPalette()),
          m_wasDark(theme.isDark()) {
        if (dark == m_wasDark)
            return;
        m_theme.switchColors(dark);
        widget.setPalette(m_theme.palette());
    }
    ~ThemeFor() {
        if (m_theme.isDark() == m_wasDark)
            return;
        m_theme.switchColors(m_wasDark);
        if (m_widget)
            m_widget->setPalette(m_before);
    }
    ThemeFor(const ThemeFor &) = delete;
    ThemeFor &operator=(const ThemeFor &) = delete;

private:
    QPointer<QWidget> m_widget;
    Theme &m_theme;
    QPalette m_before;
    bool m_wasDark;
};

/// QCustomPlot paints its widget from a pixmap; calling it directly draws lines and text as vectors.
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
    picture.prepare = [&theme, widget = QPointer<QWidget>(&widget)](bool dark) -> std::shared_ptr<void> {
        return widget ? std::make_shared<ThemeFor>(*widget, theme, dark) : nullptr;
    };
    picture.paint = [&theme, widget = QPointer<QWidget>(&widget)](QPainter &painter, const PaintTarget &target) {
        if (!widget)
            return; // closed meanwhile
        const ThemeFor themed(*widget, theme, target.dark);
        painter.fillRect(widget->rect(), theme.color(ColorId::Surface));
        widget->render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
        drawPlots(painter, *widget);
    };
    return picture;
}

} // namespace syncopate::ui
