// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/argument_sheet.h"

#include "engine/base/glossary.h"
#include "engine/base/units.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/translation.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <limits>

namespace syncopate::ui {

namespace {

/// The engine's units of arguments, for translators.
[[maybe_unused]] constexpr const char *unitsOfArguments[] = {
    translatable("bytes"),      translatable("chains"),     translatable("classes"),     translatable("groups"),
    translatable("hundredths"), translatable("iterations"), translatable("pairs"),       translatable("parts"),
    translatable("percent"),    translatable("points"),     translatable("programs"),    translatable("proposals"),
    translatable("seconds"),    translatable("stretches"),  translatable("thousandths"), translatable("trials"),
    translatable("values"),
};

QString unitOf(const ArgumentInfo &argument) { return worded({argument.unit}); }

QString help(const ArgumentInfo &argument) { return said(argument.help); }

/// "1 to 100 groups"; empty for words and flags.
QString boundsText(const ArgumentInfo &argument) {
    switch (argument.kind) {
    case ArgumentKind::Integer:
    case ArgumentKind::Range:
        return ArgumentSheet::tr("%1 to %2 %3").arg(argument.min).arg(argument.max, 0, 'f', 0).arg(unitOf(argument)).trimmed();
    case ArgumentKind::Bytes:
        return ArgumentSheet::tr("A size such as 64KiB or 1.5MB, up to %1")
            .arg(QString::fromStdString(formatExactBytes(argument.max)));
    case ArgumentKind::Flag:
    case ArgumentKind::Choice:
        return {};
    }
    return {};
}

/// The glossary's entries about an argument: of its name, and of the terms in its help. "slack" -> "In a random strategy ...".
QStringList explanationsOf(const ArgumentInfo &argument) {
    QString heading = QString::fromStdString(argument.name);
    heading.front() = heading.front().toUpper();
    QStringList found;
    for (const QString &term : {heading, QStringLiteral("c_lb"), QStringLiteral("c_am")})
        if (term == heading || help(argument).contains(term))
            if (const std::string_view text = findGlossaryText(term.toStdString()); !text.empty()) // most names have no entry
                found += QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    return found;
}

QString toolTipOf(const ArgumentInfo &argument) {
    QString text = (QStringList(help(argument) + QLatin1Char('.')) + explanationsOf(argument)).join(QLatin1Char('\n'));
    if (const QString bounds = boundsText(argument); !bounds.isEmpty())
        text += QLatin1Char('\n') + bounds + QLatin1Char('.');
    return text + QLatin1Char('\n') +
           ArgumentSheet::tr("Default: %1").arg(QString::fromStdString(argument.off.empty() ? argument.usual : argument.off));
}

int toInt(double value) {
    return static_cast<int>(std::clamp<double>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

} // namespace

ArgumentSheet::ArgumentSheet(const std::vector<ExpressionInfo> &known, const QString &what, QWidget *parent)
    : QWidget(parent), m_known(known), m_form(new QFormLayout(this)), m_name(new QComboBox), m_problemLine(plainLabel()) {
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(3);
    m_form->setHorizontalSpacing(8);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const ExpressionInfo &one : m_known) {
        m_values.emplace_back(one).setSubject({}); // starts empty, for the user to fill in
        m_name->addItem(QString::fromStdString(one.name));
        m_name->setItemData(m_name->count() - 1, plainTip(said(one.description)), Qt::ToolTipRole);
    }
    m_name->setAccessibleName(what);
    m_problemLine->setWordWrap(true);
    m_problemLine->setAccessibleName(tr("Error in the settings"));
    m_form->addRow(makeLabel(what, m_name), m_name);
    m_form->addRow(m_problemLine);
    connect(m_name, &QComboBox::currentIndexChanged, this, [this](int index) {
        choose(static_cast<std::size_t>(index));
        Q_EMIT changed();
    });
    choose(0);
}

void ArgumentSheet::addRow(const QString &label, QWidget *field) {
    int row = 0;
    m_form->getWidgetPosition(m_name, &row, nullptr);
    m_form->insertRow(row, makeLabel(label, field), field);
}

QLabel *ArgumentSheet::makeLabel(const QString &text, QWidget *field) const {
    auto *label = plainLabel(text);
    label->setMinimumWidth(m_labelWidth);
    label->setBuddy(field);
    return label;
}

int ArgumentSheet::widestLabel() const {
    int widest = 0;
    for (int row = 0; row < m_form->rowCount(); ++row)
        if (const QLayoutItem *label = m_form->itemAt(row, QFormLayout::LabelRole))
            widest = std::max(widest, label->widget()->sizeHint().width());
    for (const ExpressionInfo &one : m_known) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(QString::fromStdString(one.subject)));
        for (const ArgumentInfo &argument : one.arguments)
            if (argument.kind != ArgumentKind::Flag)
                widest = std::max(widest, fontMetrics().horizontalAdvance(QString::fromStdString(argument.name)));
    }
    return widest;
}

void ArgumentSheet::alignLabels(std::initializer_list<ArgumentSheet *> sheets) {
    int widest = 0;
    for (const ArgumentSheet *sheet : sheets)
        widest = std::max(widest, sheet->widestLabel());
    for (ArgumentSheet *sheet : sheets) {
        sheet->m_labelWidth = widest;
        for (int row = 0; row < sheet->m_form->rowCount(); ++row)
            if (const QLayoutItem *label = sheet->m_form->itemAt(row, QFormLayout::LabelRole))
                label->widget()->setMinimumWidth(widest);
    }
}

std::string ArgumentSheet::text() const { return m_values[m_current].text(); }

Result<void> ArgumentSheet::setText(std::string_view text) {
    const Expression expression = TRY(parseExpression(text));
    const ExpressionInfo *found = TRY(findExpression(expression, m_known, "name"));
    const auto index = static_cast<std::size_t>(found - m_known.data());
    m_values[index] = TRY(ArgumentValues::read(expression, *found));
    {
        const QSignalBlocker silent(m_name);
        m_name->setCurrentIndex(static_cast<int>(index));
    }
    choose(index);
    Q_EMIT changed();
    return {};
}

QWidget *ArgumentSheet::field(std::string_view argument) const {
    if (m_subject != nullptr && argument == info().subject)
        return m_subject;
    const auto found =
        std::find_if(m_fields.begin(), m_fields.end(), [&](const Field &field) { return field.argument->name == argument; });
    return found == m_fields.end() ? nullptr : found->widget;
}

void ArgumentSheet::choose(std::size_t name) {
    m_current = name;
    m_name->setToolTip(plainTip(said(info().description)));
    for (const Field &field : m_fields)
        m_form->removeRow(field.widget);
    m_fields.clear();
    if (m_subject != nullptr)
        m_form->removeRow(m_subject);
    m_subject = nullptr;
    m_showing = true;
    if (!info().subject.empty())
        addSubject();
    for (const ArgumentInfo &argument : info().arguments) {
        m_fields.push_back(makeField(argument));
        const Field &field = m_fields.back();
        const QString toolTip = toolTipOf(argument);
        field.widget->setToolTip(plainTip(toolTip));
        if (argument.kind == ArgumentKind::Flag) {
            m_form->addRow(field.widget);
        } else {
            QLabel *label = makeLabel(QString::fromStdString(argument.name), field.widget);
            label->setToolTip(plainTip(toolTip));
            m_form->addRow(label, field.widget);
        }
        field.show(m_values[m_current]);
    }
    m_showing = false;
    setProblem({});
    if (m_subject != nullptr) // it may not have been given yet
        take();
}

void ArgumentSheet::addSubject() {
    const QString name = QString::fromStdString(info().subject);
    m_subject = new QLineEdit(QString::fromStdString(m_values[m_current].subject()));
    m_subject->setAccessibleName(name);
    m_subject->setToolTip(plainTip(said(info().description)));
    m_form->addRow(makeLabel(name, m_subject), m_subject);
    connect(m_subject, &QLineEdit::textChanged, this, &ArgumentSheet::read);
}

ArgumentSheet::Field ArgumentSheet::makeField(const ArgumentInfo &argument) {
    switch (argument.kind) {
    case ArgumentKind::Integer:
        return makeInteger(argument);
    case ArgumentKind::Range:
        return makeRange(argument);
    case ArgumentKind::Bytes:
        return makeBytes(argument);
    case ArgumentKind::Flag:
        return makeFlag(argument);
    case ArgumentKind::Choice:
        break;
    }
    return makeChoice(argument);
}

QSpinBox *ArgumentSheet::makeBox(const ArgumentInfo &argument, const QString &end) {
    auto *box = new QSpinBox;
    box->setRange(toInt(argument.min), toInt(argument.max));
    box->setAccessibleName(end.isEmpty() ? help(argument) : help(argument) + QStringLiteral(", ") + end);
    box->setToolTip(plainTip(toolTipOf(argument)));
    box->setMinimumWidth(58);
    connect(box, &QSpinBox::valueChanged, this, &ArgumentSheet::read);
    return box;
}

ArgumentSheet::Field ArgumentSheet::makeInteger(const ArgumentInfo &argument) {
    QSpinBox *box = makeBox(argument);
    if (!argument.unit.empty())
        box->setSuffix(QLatin1Char(' ') + unitOf(argument));
    return {&argument, box, [box] { return std::to_string(box->value()); },
            [box, name = argument.name](const ArgumentValues &values) { box->setValue(toInt(values.number(name))); }};
}

ArgumentSheet::Field ArgumentSheet::makeRange(const ArgumentInfo &argument) {
    QSpinBox *from = makeBox(argument, tr("at least")), *to = makeBox(argument, tr("at most"));
    auto *pair = new QWidget;
    auto *row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(from, 1);
    row->addWidget(plainLabel(tr("to")));
    row->addWidget(to, 1);
    row->addWidget(plainLabel(unitOf(argument)));
    return {&argument, pair, [from, to] { return std::to_string(from->value()) + ".." + std::to_string(to->value()); },
            [from, to, name = argument.name](const ArgumentValues &values) {
                const IntegerRange range = values.range(name);
                from->setValue(range.first);
                to->setValue(range.second);
            }};
}

ArgumentSheet::Field ArgumentSheet::makeBytes(const ArgumentInfo &argument) {
    auto *size = new QLineEdit;
    size->setAccessibleName(help(argument));
    size->setPlaceholderText(QString::fromStdString(argument.off.empty() ? argument.usual : argument.off));
    connect(size, &QLineEdit::textChanged, this, &ArgumentSheet::read);
    return {
        &argument, size, [size] { return size->text().trimmed().toStdString(); },
        [size, &argument](const ArgumentValues &values) {
            const double bytes = values.number(argument.name);
            const QString text = QString::fromStdString(formatExactBytes(bytes));
            const bool off = !argument.off.empty() && parseBytes(argument.usual).value_or(-1) == bytes;
            size->setText(off ? QString::fromStdString(argument.off) : text.back().isDigit() ? text + QLatin1Char('B') : text);
        }};
}

ArgumentSheet::Field ArgumentSheet::makeFlag(const ArgumentInfo &argument) {
    auto *box = new QCheckBox(QString::fromStdString(argument.name));
    box->setAccessibleDescription(help(argument));
    connect(box, &QCheckBox::toggled, this, &ArgumentSheet::read);
    return {&argument, box, [box] { return std::string(box->isChecked() ? "on" : "off"); },
            [box, name = argument.name](const ArgumentValues &values) { box->setChecked(values.flag(name)); }};
}

ArgumentSheet::Field ArgumentSheet::makeChoice(const ArgumentInfo &argument) {
    auto *box = new QComboBox;
    for (const std::string &choice : argument.choices)
        box->addItem(QString::fromStdString(choice));
    box->setAccessibleName(help(argument));
    connect(box, &QComboBox::currentIndexChanged, this, &ArgumentSheet::read);
    return {&argument, box, [box] { return box->currentText().toStdString(); },
            [box, name = argument.name](const ArgumentValues &values) {
                box->setCurrentIndex(static_cast<int>(values.choice(name)));
            }};
}

void ArgumentSheet::read() {
    if (m_showing)
        return;
    take();
    Q_EMIT changed();
}

void ArgumentSheet::take() {
    Expression expression{info().name, {}};
    if (m_subject != nullptr) {
        const QString subject = m_subject->text().trimmed();
        if (subject.contains(QLatin1Char('"')) && subject.contains(QLatin1Char('\''))) {
            setProblem(tr("%1 has both kinds of quotes: an expression can have one of them").arg(m_subject->accessibleName()));
            return;
        }
        expression.arguments.push_back({{}, subject.toStdString(), 0});
    }
    for (const Field &field : m_fields)
        if (std::string text = field.text(); !text.empty())
            expression.arguments.push_back({field.argument->name, std::move(text), 0});
    if (auto values = ArgumentValues::read(expression, info())) {
        m_values[m_current] = *std::move(values);
        setProblem({});
    } else {
        Error error = values.error();
        error.place.clear(); // an offset into a text that the user does not see
        setProblem(QString::fromStdString(error.toString()));
    }
}

void ArgumentSheet::setProblem(const QString &problem) {
    m_problem = problem;
    m_problemLine->setText(problem);
    m_problemLine->setVisible(!problem.isEmpty());
}

} // namespace syncopate::ui
