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
class RunPreset;

/// A kind of work, and the arrangement of panels that suits it.
struct Perspective {
    QString id;
    QString title; ///< with a mnemonic
    QString about;
    QString front;            ///< the tab in front below the timelines; empty: all of them are hidden
    QString preset = {};      ///< of the panel of runs: "search", "tune", "plan"
    bool knobs = false;       ///< the knobs, on the left
    bool inspector = false;   ///< the inspector, on the right
    bool timelines = true;    ///< if false, the panels below take their room, under the line of figures of A and B
    double heightShare = 0.3; ///< of the window's height, for the panels below the timelines; the rest is cut off
};

/// The perspectives of a window: one is current, and each remembers how the user last arranged it.
class Perspectives final : public QObject {
    Q_OBJECT
public:
    explicit Perspectives(Panels &panels);

    /// In the order of their keys, Ctrl+1 and on. A window starts with the first.
    [[nodiscard]] static const std::vector<Perspective> &all();
    [[nodiscard]] const QString &present() const { return m_present; }
    [[nodiscard]] bool showsTimelines() const;
    /// Arranges the panels as they were when this perspective was left, or as it asks for. If it is current already, only its
    /// panel comes to the front. Unknown ids are ignored, and all while the panels are hidden (Panels::areShown()).
    void show(const QString &id);
    /// Goes to the first perspective, and forgets the user's arrangements of all.
    void reset();

    /// What a project keeps: the current one and the arrangements of the others.
    [[nodiscard]] QJsonObject settings() const;
    /// Arranges nothing; ignores unknown perspectives and invalid arrangements.
    void setSettings(const QJsonObject &settings);

Q_SIGNALS:
    void changed(const QString &present);

private:
    void setPresent(const QString &id);
    /// The preset of the panel of runs that a perspective is about; null: none.
    [[nodiscard]] const RunPreset *presetOf(const Perspective &perspective) const;
    void bringToFront(const Perspective &perspective);

    Panels &m_panels;
    QString m_present;
    QMap<QString, QByteArray> m_layouts; ///< of perspectives that were left
};

} // namespace syncopate::ui
