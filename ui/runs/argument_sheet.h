// SPDX-License-Identifier: GPL-3.0-or-later
// The form of an expression, such as a search method with its arguments. Which fields there are, how they are named, bounded and
// explained comes from the declarations of the engine alone, so that a new method or a new argument needs no code here.
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
/// keeps its values while another one is chosen. Values that cannot be read are told in the sheet and by problem(), and leave
/// text() as it was.
class ArgumentSheet final : public QWidget {
    Q_OBJECT
public:
    /// `known` lives as long as the sheet; `what` is the label of the names: "Method".
    ArgumentSheet(const std::vector<ExpressionInfo> &known, const QString &what, QWidget *parent = nullptr);

    /// Adds a row of its user's own above the name.
    void addRow(const QString &label, QWidget *field);
    /// Gives the labels of sheets one below the other the same width, whichever names are chosen.
    static void alignLabels(std::initializer_list<ArgumentSheet *> sheets);

    /// The shortest expression with the values of the fields: "random(parts=2..8)".
    [[nodiscard]] std::string text() const;
    /// Shows an expression. Errors, with nothing changed: no such name or argument, values out of bounds.
    [[nodiscard]] Result<void> setText(std::string_view expression);
    /// What is wrong with the fields, in one line; empty where nothing is.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    [[nodiscard]] QComboBox &nameBox() { return *m_name; }
    /// The field of the subject or of an argument of the chosen name, of a range the pair of its ends; null where it has none of
    /// that name.
    [[nodiscard]] QWidget *field(std::string_view argument) const;

Q_SIGNALS:
    void changed();

private:
    struct Field {
        const ArgumentInfo *argument = nullptr;
        QWidget *widget = nullptr;
        std::function<std::string()> text;                ///< as an expression has it; empty for the default
        std::function<void(const ArgumentValues &)> show; ///< without a signal
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
    /// A box for a whole number of an argument; `end` tells the ends of a range apart.
    [[nodiscard]] QSpinBox *makeBox(const ArgumentInfo &argument, const QString &end = {});
    void addSubject();
    void read();
    /// Takes over what the fields say, or tells what is wrong with them.
    void take();
    void setProblem(const QString &problem);

    const std::vector<ExpressionInfo> &m_known;
    std::vector<ArgumentValues> m_values; ///< aligned with m_known
    std::size_t m_current = 0;
    QFormLayout *m_form;
    QComboBox *m_name;
    QLabel *m_problemLine;
    int m_labelWidth = 0;           ///< pixels, at least
    QLineEdit *m_subject = nullptr; ///< of the chosen name; null: it has none
    std::vector<Field> m_fields;    ///< of the chosen name
    QString m_problem;
    bool m_showing = false; ///< fields change because values are shown
};

} // namespace syncopate::ui
