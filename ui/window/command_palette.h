// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace syncopate::ui {

/// Something that the palette can do or go to.
struct PaletteEntry {
    QString kind; ///< "View", "Job", "Variable": shown dim, searched too
    QString text;
    QString hint; ///< shortcut, or why it cannot be done
    bool enabled = true;
    std::function<void()> run;
    QString id = {};    ///< what files and the command line call it
    QString about = {}; ///< a sentence that describes it
};

/// One box that finds everything, by name, id or words of its description: letters narrow the list, Up and Down walk it, Enter
/// does it, Esc leaves. What cannot be done is shown grey, with the reason, after what can.
class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(std::vector<PaletteEntry> entries, QWidget *parent = nullptr);

    [[nodiscard]] QLineEdit *field() { return m_field; }
    [[nodiscard]] QListWidget *list() { return m_list; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void runCurrent();

    std::vector<PaletteEntry> m_entries;
    QLineEdit *m_field;
    QListWidget *m_list;
};

} // namespace syncopate::ui
