// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace syncopate::ui {

/// An entry of the palette: an action or a place to go to.
struct PaletteEntry {
    QString kind; ///< "View", "Job", "Variable": shown dimmed, searched too
    QString text;
    QString hint; ///< shortcut, or why it is disabled
    bool enabled = true;
    std::function<void()> run;
    QString id = {};    ///< the name in files and on the command line
    QString about = {}; ///< a sentence that describes it
};

/// One box that finds everything, by name, id or words of its description: letters narrow the list, Up and Down select, Enter
/// executes, Esc closes. Disabled entries are grey, with the reason, after the enabled ones.
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
    /// Does nothing for a disabled entry, or null.
    void run(const QListWidgetItem *item);

    std::vector<PaletteEntry> m_entries;
    QLineEdit *m_field;
    QListWidget *m_list;
};

} // namespace syncopate::ui
