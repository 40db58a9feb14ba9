// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace syncopate::ui {

/// A line to search the timelines: text, number of hits, next and previous. Hidden until opened.
class SearchBar final : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(QWidget *parent = nullptr);

    /// Shows the line with its text selected, ready to be replaced.
    void open();
    void close();
    [[nodiscard]] QString text() const;
    [[nodiscard]] QLineEdit *field() { return m_text; }
    [[nodiscard]] QString count() const;
    void setCount(const QString &count);

Q_SIGNALS:
    void textChanged(const QString &text);
    void stepWanted(bool forward);
    void closed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLineEdit *m_text;
    QLabel *m_count;
};

} // namespace syncopate::ui
