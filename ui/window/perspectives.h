// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QObject>
#include <QString>
#include <vector>

namespace syncopate::ui {

class Panels;

/// A kind of work, and the arrangement of panels that gives it the room it needs.
struct Perspective {
    QString id;
    QString title; ///< with a mnemonic
    QString about;
    QString front;            ///< the panel below the timelines that is seen; empty: none of them is shown
    QString preset = {};      ///< of the panel of runs: "search", "tune", "plan"
    bool knobs = false;       ///< the knobs, at the left
    bool inspector = false;   ///< the inspector, at the right
    bool timelines = true;    ///< else the panels below have their room, under the line of figures of A and B
    double heightShare = 0.3; ///< of the window's height, for the panels below the timelines; what does not fit is cut
};

/// The perspectives of a window: one is present, and each remembers how the user arranged it last.
class Perspectives final : public QObject {
    Q_OBJECT
public:
    explicit Perspectives(Panels &panels);

    /// In the order of their keys, Ctrl+1 and on. The first is the one that a window starts with.
    [[nodiscard]] static const std::vector<Perspective> &all();
    [[nodiscard]] const QString &present() const { return m_present; }
    [[nodiscard]] bool showsTimelines() const;
    /// Arranges the panels as they were when this perspective was left, or as it asks for. Shown again, its panel comes to the
    /// front. Unknown ids change nothing.
    void show(const QString &id);
    /// The first perspective, and all of them as they ask for.
    void reset();

    /// What a project keeps: the present one and the arrangements of the others.
    [[nodiscard]] QJsonObject settings() const;
    /// Without arranging anything; what is no perspective or no arrangement is left out.
    void setSettings(const QJsonObject &settings);

Q_SIGNALS:
    void changed(const QString &present);

private:
    void setPresent(const QString &id);
    void bringToFront(const Perspective &perspective);

    Panels &m_panels;
    QString m_present;
    QMap<QString, QByteArray> m_layouts; ///< of perspectives that were left
};

} // namespace syncopate::ui
