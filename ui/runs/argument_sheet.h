// SPDX-License-Identifier: GPL-3.0-or-later
// The form for an expression, such as a search method with its arguments. Fields, their names, bounds and help come only from the
// engine's declarations, so that a new method or argument needs no code here; a new unit needs a line in unitsOfArguments (.cpp),
// without which it stays English.
#pragma once

#include "engine/strategy/arguments.h"

#include <QString>
#include <QWidget>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace syncopate::ui {

/// Edits one expression: a box with the known names, and a field for the subject and each argument of the chosen one. Each name
/// keeps its values while another is chosen. Values that cannot be read are reported in the sheet and by problem(), and leave
/// text() unchanged.
class ArgumentSheet final : public QWidget {
    Q_OBJECT
public:
    /// `known` must outlive the sheet; `what` labels the box of names: "Method".
    ArgumentSheet(const std::vector<ExpressionInfo> &known, const QString &what, QWidget *parent = nullptr);

    /// Adds a row of the caller's above the name.
    void addRow(const QString &label, QWidget *field);
    /// Aligns the labels of sheets laid out below each other, whichever names are chosen.
    static void alignLabels(std::initializer_list<ArgumentSheet *> sheets);

    /// The shortest expression for the values of the fields: "random(parts=2..8)".
    [[nodiscard]] std::string text() const;
    /// Shows an expression. Errors, leaving the sheet unchanged: unknown name or argument, values out of bounds.
    [[nodiscard]] Result<void> setText(std::string_view expression);
    /// What is wrong with the fields, in one line; empty if nothing is.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    [[nodiscard]] QComboBox &nameBox() { return *m_name; }
    /// The field of the subject or of an argument of the chosen name; for a range, the widget holding both ends. Null if the name
    /// has no such argument.
    [[nodiscard]] QWidget *field(std::string_view argument) const;

Q_SIGNALS:
    void changed();

private:
    struct Field {
        const ArgumentInfo *argument = nullptr;
        QWidget *widget = nullptr;
        std::function<std::string()> text;                ///< as written in an expression; empty for the default
        std::function<void(const ArgumentValues &)> show; ///< emits no signal
    };
    [[nodiscard]] const ExpressionInfo &info() const { return m_known[m_current]; }
    void choose(std::size_t name);
    [[nodiscard]] QLabel *makeLabel(const QString &text, QWidget *field) const;
    [[nodiscard]] int widestLabel() const;
    [[nodiscard]] Field makeField(const ArgumentInfo &argument);
    [[nodiscard]] Field makeInteger(const ArgumentInfo &argument);
    [[nodiscard]] Field makeRange(const ArgumentInfo &argument);
    [[nodiscard]] Field makeBytes(const ArgumentInfo &argument);
    [[nodiscard]] Field makeFlag(const ArgumentInfo &argument);
    [[nodiscard]] Field makeChoice(const ArgumentInfo &argument);
    /// A box for an argument's whole number; `end` names the end of a range.
    [[nodiscard]] QSpinBox *makeBox(const ArgumentInfo &argument, const QString &end = {});
    void addSubject();
    void read();
    /// Reads the fields, or reports what is wrong with them.
    void take();
    void setProblem(const QString &problem);

    const std::vector<ExpressionInfo> &m_known;
    std::vector<ArgumentValues> m_values; ///< aligned with m_known
    std::size_t m_current = 0;
    QFormLayout *m_form;
    QComboBox *m_name;
    QLabel *m_problemLine;
    int m_labelWidth = 0;           ///< pixels, minimum
    QLineEdit *m_subject = nullptr; ///< of the chosen name; null if it has none
    std::vector<Field> m_fields;    ///< of the chosen name
    QString m_problem;
    bool m_showing = false; ///< fields are being filled in, not edited
};

} // namespace syncopate::ui
