// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_layout.h"

#include <QApplication>
#include <QCursor>
#include <QDataStream>
#include <QMouseEvent>
#include <QSet>

namespace syncopate::ui {
namespace {

/// Reads the bytes of QMainWindow::saveState(): big-endian integers, and a tag byte before each item. The format is undocumented;
/// derived from Qt 6.4, which writes the format of Qt 5.0.
class LayoutReader {
public:
    explicit LayoutReader(const QByteArray &bytes) : m_stream(bytes) { m_stream.setVersion(QDataStream::Qt_5_0); }

    [[nodiscard]] bool isLayout() {
        constexpr qint32 versionMarker = 0xff;
        if (integer() != versionMarker || integer() != 0 || marker() != Areas)
            return false;
        const qint32 areas = integer();
        if (areas < 0 || areas > 4)
            return false;
        QSet<qint32> seen;
        for (qint32 a = 0; a < areas; ++a) {
            const qint32 area = integer();
            if (area < 0 || area > 3 || seen.contains(area) || !isExtent() || !isExtent() || !isInfo(marker(), 0))
                return false;
            seen.insert(area);
        }
        if (!isExtent() || !isExtent())
            return false;
        for (int corner = 0; corner < 4; ++corner)
            if (const qint32 area = integer(); area != 1 && area != 2 && area != 4 && area != 8)
                return false;
        return areToolBars() && m_stream.status() == QDataStream::Ok && m_stream.atEnd();
    }

    /// A dock area's panels in a layout, and the one in front.
    struct Place {
        QString name;
        bool inFront = false;
    };
    [[nodiscard]] const QList<Place> &panels() const { return m_panels; }

private:
    enum Marker : quint8 { Tabs = 0xfa, Panel = 0xfb, Sequence = 0xfc, Areas = 0xfd };
    static constexpr int maxDepth = 16, maxCount = 64;

    qint32 integer() {
        qint32 value = -1;
        m_stream >> value;
        return value;
    }
    quint8 marker() {
        quint8 value = 0;
        m_stream >> value;
        return value;
    }
    /// Pixels; -1 if not known yet. For tabs, the maximum size is that of a widget plus the tab bar.
    bool isExtent() {
        const qint32 pixels = integer();
        return pixels >= -1 && pixels <= 2 * QWIDGETSIZE_MAX;
    }
    bool isPlace() {
        bool is = true;
        for (int n = 0; n < 4; ++n) // position, size, minimum and maximum size
            is = isExtent() && is;
        return is;
    }
    bool isGeometry() {
        const qint32 x = integer(), y = integer(), width = integer(), height = integer();
        return std::abs(qint64{x}) <= QWIDGETSIZE_MAX && std::abs(qint64{y}) <= QWIDGETSIZE_MAX && width >= 0 &&
               width <= QWIDGETSIZE_MAX && height >= 0 && height <= QWIDGETSIZE_MAX;
    }

    /// Panels one after another, or as tabs one behind another, possibly nested.
    bool isInfo(quint8 kind, int depth) {
        if (depth > maxDepth || (kind != Tabs && kind != Sequence))
            return false;
        const qint32 inFront = kind == Tabs ? integer() : 0;
        const quint8 orientation = marker();
        const qint32 count = integer();
        if ((orientation != Qt::Horizontal && orientation != Qt::Vertical) || count < 0 || count > maxCount || inFront < -1 ||
            inFront >= std::max(count, 1))
            return false;
        for (qint32 n = 0; n < count; ++n) {
            const quint8 item = marker();
            if (item == Panel ? !isPanel(kind == Sequence || n == inFront)
                              : item != Sequence || !isPlace() || !isInfo(marker(), depth + 1))
                return false;
        }
        return true;
    }

    bool isPanel(bool inFront) {
        constexpr quint8 visible = 1, floating = 2;
        if (!isNewName())
            return false;
        const quint8 flags = marker();
        m_panels.push_back({m_lastName, inFront && (flags & visible)});
        return flags <= (visible | floating) && (flags & floating ? isGeometry() : isPlace());
    }

    /// Rows of tool bars along the window's sides.
    bool areToolBars() {
        if (marker() != Sequence)
            return false;
        const qint32 lines = integer();
        if (lines < 0 || lines > maxCount)
            return false;
        for (qint32 line = 0; line < lines; ++line) {
            const qint32 side = integer(), count = integer();
            if (side < 0 || side > 3 || count < 0 || count > maxCount)
                return false;
            for (qint32 n = 0; n < count; ++n) {
                if (!isNewName() || marker() > 1 || !isExtent() || !isExtent())
                    return false;
                integer(); // floating geometry, packed into 64 bits; 0: not floating
                integer();
            }
        }
        return true;
    }

    bool isNewName() {
        QString name;
        m_stream >> name;
        if (m_stream.status() != QDataStream::Ok || name.isEmpty() || m_names.contains(name))
            return false;
        m_names.insert(name);
        m_lastName = name;
        return true;
    }

    QDataStream m_stream;
    QSet<QString> m_names;
    QString m_lastName;
    QList<Place> m_panels;
};

/// A name as encoded in a layout.
QByteArray written(const QString &name) {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_5_0);
    stream << name;
    return bytes;
}

} // namespace

bool isPanelLayout(const QByteArray &bytes) { return LayoutReader(bytes).isLayout(); }

QString formerRunsPanel(const QByteArray &layout) {
    LayoutReader reader(layout);
    if (!reader.isLayout())
        return {};
    QString inFront, any;
    for (const QString &former : {QStringLiteral("sweeps"), QStringLiteral("candidates"), QStringLiteral("search")})
        for (const LayoutReader::Place &panel : reader.panels()) {
            if (panel.name == QLatin1String("runs"))
                return {};
            if (panel.name == former)
                (panel.inFront ? inFront : any) = former;
        }
    return inFront.isEmpty() ? any : inFront;
}

bool restorePanels(QMainWindow &window, const QByteArray &layout) {
    if (!isPanelLayout(layout))
        return false;
    QByteArray bytes = layout;
    if (const QString former = formerRunsPanel(layout); !former.isEmpty())
        bytes.replace(written(former), written(QStringLiteral("runs")));
    if (!isPanelLayout(bytes)) // the name may occur elsewhere, too
        return false;
    // Qt frees here objects that a panel's drag still refers to, and crashes if the drag continues (seen with 6.4).
    if (QWidget *held = QWidget::mouseGrabber()) {
        const QPoint at = QCursor::pos();
        QMouseEvent release(QEvent::MouseButtonRelease, held->mapFromGlobal(at), at, Qt::LeftButton, Qt::NoButton,
                            Qt::NoModifier);
        QApplication::sendEvent(held, &release);
    }
    return window.restoreState(bytes);
}

} // namespace syncopate::ui
