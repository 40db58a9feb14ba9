// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tables/filter_expression.h"

#include <QLineEdit>
#include <optional>
#include <vector>

class QAction;

namespace syncopate::ui {

class Theme;

/// A line to type a FilterExpression into. While the text typed is invalid, the previous expression stays in force and the line
/// marks the error, with the reason as tooltip and accessible description.
class FilterLine final : public QLineEdit {
    Q_OBJECT
public:
    FilterLine(const Theme &theme, std::vector<FilterField> fields, QWidget *parent = nullptr);

    /// Sets other columns; the present text is parsed again. If it is invalid for them, every row matches.
    void setFields(std::vector<FilterField> fields);
    [[nodiscard]] const FilterExpression &expression() const { return m_expression; }
    /// Why the present text is not in force.
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    [[nodiscard]] const std::vector<FilterField> &fields() const { return m_fields; }

Q_SIGNALS:
    void expressionChanged();
    /// Empty: the text is valid again.
    void errorChanged(const QString &text);

private:
    void parse();
    void paintMark();

    const Theme &m_theme;
    std::vector<FilterField> m_fields;
    FilterExpression m_expression;
    std::optional<Error> m_error;
    QAction *m_mark;
};

} // namespace syncopate::ui
