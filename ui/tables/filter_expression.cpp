// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/filter_expression.h"

#include "engine/base/units.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <utility>

namespace syncopate::ui {

namespace {

bool isOperator(QChar c) { return c == '<' || c == '>' || c == '=' || c == '~' || c == '!'; }

} // namespace

class FilterExpression::Parser {
    Q_DECLARE_TR_FUNCTIONS(FilterExpression)

public:
    Parser(const QString &text, std::span<const FilterField> fields) : m_text(text), m_fields(fields) {}

    Result<FilterExpression> run() {
        FilterExpression expression;
        std::vector<Term> all;
        bool needsTerm = false; // set after "or"
        for (skipSpaces(); m_at < m_text.size(); skipSpaces()) {
            if (takeWord(QStringLiteral("or"))) {
                if (all.empty())
                    return error(tr("there is nothing before 'or'"), tr("write a comparison on both sides of it"), m_at - 2);
                expression.m_alternatives.push_back(std::exchange(all, {}));
                needsTerm = true;
                continue;
            }
            auto term = TRY(readTerm());
            all.push_back(std::move(term));
            needsTerm = false;
        }
        if (needsTerm)
            return error(tr("there is nothing after 'or'"), tr("write a comparison on both sides of it"), m_at);
        if (!all.empty())
            expression.m_alternatives.push_back(std::move(all));
        return expression;
    }

private:
    static Unexpected error(const QString &what, const QString &remedy, qsizetype at) {
        return fail(what.toStdString(), remedy.toStdString(), {}, tr("character %1").arg(at + 1).toStdString());
    }

    void skipSpaces() {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
    }

    /// The end of the run of characters from `from` on that are neither spaces nor operators.
    [[nodiscard]] qsizetype wordEnd(qsizetype from) const {
        while (from < m_text.size() && !m_text[from].isSpace() && !isOperator(m_text[from]))
            ++from;
        return from;
    }

    /// Consumes `word` if it is the whole next word and no comparison follows, which would make it a column's name.
    bool takeWord(const QString &word) {
        const qsizetype end = wordEnd(m_at);
        if (QStringView(m_text).mid(m_at, end - m_at).compare(word, Qt::CaseInsensitive) != 0 || comparisonAt(end))
            return false;
        m_at = end;
        return true;
    }

    /// The comparison operator at `at`, after spaces, and where it ends.
    [[nodiscard]] std::optional<std::pair<Comparison, qsizetype>> comparisonAt(qsizetype at) const {
        while (at < m_text.size() && m_text[at].isSpace())
            ++at;
        static const std::array<std::pair<const char *, Comparison>, 8> comparisons{{{"<=", Comparison::LessOrEqual},
                                                                                     {">=", Comparison::GreaterOrEqual},
                                                                                     {"!=", Comparison::Unequal},
                                                                                     {"==", Comparison::Equal},
                                                                                     {"<", Comparison::Less},
                                                                                     {">", Comparison::Greater},
                                                                                     {"=", Comparison::Equal},
                                                                                     {"~", Comparison::Contains}}};
        for (const auto &[symbol, comparison] : comparisons)
            if (const QLatin1String text(symbol); QStringView(m_text).mid(at).startsWith(text))
                return std::pair(comparison, at + text.size());
        return std::nullopt;
    }

    Result<Term> readTerm() {
        Term term;
        const bool negates = m_text[m_at] == '!' && !(m_at + 1 < m_text.size() && m_text[m_at + 1] == '=');
        if (negates) {
            term.negated = true;
            ++m_at;
            skipSpaces();
        }
        const qsizetype start = m_at;
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            auto quoted = TRY(readQuoted());
            return anywhere(std::move(term), quoted, start);
        }
        const qsizetype end = wordEnd(m_at);
        if (end == m_at)
            return error(m_at < m_text.size() ? tr("'%1' has no field before it").arg(m_text[m_at])
                                              : tr("there is nothing after '!'"),
                         tr("write a field, a comparison and a value: %1").arg(example()), m_at);
        const QString word = m_text.mid(m_at, end - m_at);
        const auto comparison = comparisonAt(end);
        if (!comparison) {
            m_at = end;
            return anywhere(std::move(term), word, start);
        }
        const auto field = std::find_if(m_fields.begin(), m_fields.end(), [&](const FilterField &candidate) {
            return candidate.name.compare(word, Qt::CaseInsensitive) == 0;
        });
        if (field == m_fields.end())
            return error(tr("there is no field '%1'").arg(word), tr("use one of %1").arg(fieldNames()), start);
        term.fields = {static_cast<std::size_t>(field - m_fields.begin())};
        term.comparison = comparison->first;
        m_at = comparison->second;
        skipSpaces();
        return readValue(std::move(term), *field);
    }

    Result<Term> readValue(Term term, const FilterField &field) {
        const qsizetype start = m_at;
        QString value;
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            auto quoted = TRY(readQuoted());
            value = std::move(quoted);
        } else {
            m_at = wordEnd(m_at);
            value = m_text.mid(start, m_at - start);
            if (value.isEmpty())
                return error(tr("'%1' is compared with nothing").arg(field.name), tr("write a value after it"), start);
        }
        if (field.kind == FilterField::Kind::Text) {
            const bool ordered = term.comparison != Comparison::Equal && term.comparison != Comparison::Unequal &&
                                 term.comparison != Comparison::Contains;
            if (ordered)
                return error(tr("'%1' is text").arg(field.name), tr("compare it with =, != or ~ (contains)"), start);
            term.text = value;
            return term;
        }
        if (term.comparison == Comparison::Contains)
            return error(tr("'%1' is a number").arg(field.name), tr("compare it with < <= > >= = or !="), start);
        term.numeric = true;
        auto number = parsed(field, value);
        // "2 ms": a unit after a space belongs to the number before it.
        if (field.kind != FilterField::Kind::Number && number) {
            skipSpaces();
            const qsizetype end = wordEnd(m_at);
            const QStringView unit = QStringView(m_text).mid(m_at, end - m_at);
            // A word with digits is text to look for: "4 10" is no 410.
            if (std::ranges::none_of(unit, [](QChar c) { return c.isDigit(); }) && !comparisonAt(end))
                if (const auto joined = parsed(field, value + unit.toString())) {
                    number = joined;
                    m_at = end;
                }
        }
        if (!number)
            return error(QString::fromStdString(number.error().what), QString::fromStdString(number.error().remedy), start);
        term.number = *number;
        return term;
    }

    static Result<double> parsed(const FilterField &field, const QString &value) {
        const std::string text = value.toStdString();
        switch (field.kind) {
        case FilterField::Kind::Seconds:
            return signedQuantity(text, parseSeconds);
        case FilterField::Kind::Bytes:
            return signedQuantity(text, parseBytes);
        default:
            return parseNumber(text);
        }
    }

    /// Differences may be negative: "delta<-2ms".
    static Result<double> signedQuantity(std::string_view text, Result<double> (*parse)(std::string_view)) {
        if (!text.starts_with('-'))
            return parse(text);
        const auto value = parse(text.substr(1));
        return value ? Result<double>(-*value) : value;
    }

    Result<QString> readQuoted() {
        const qsizetype start = m_at++;
        const qsizetype end = m_text.indexOf('"', m_at);
        if (end < 0)
            return error(tr("a quotation mark is not closed"), tr("end the text with \""), start);
        const QString text = m_text.mid(m_at, end - m_at);
        m_at = end + 1;
        return text;
    }

    Result<Term> anywhere(Term term, const QString &word, qsizetype start) const {
        for (std::size_t f = 0; f < m_fields.size(); ++f)
            if (m_fields[f].kind == FilterField::Kind::Text)
                term.fields.push_back(f);
        if (term.fields.empty())
            return error(tr("'%1' is not compared with anything").arg(word),
                         tr("write a field, a comparison and a value: %1").arg(example()), start);
        term.text = word;
        return term;
    }

    [[nodiscard]] QString fieldNames() const {
        QStringList names;
        for (const FilterField &field : m_fields)
            names.push_back(field.name);
        return names.join(QStringLiteral(", "));
    }

    [[nodiscard]] QString example() const {
        for (const FilterField &field : m_fields) {
            if (field.kind == FilterField::Kind::Seconds)
                return field.name + QStringLiteral("<2ms");
            if (field.kind == FilterField::Kind::Bytes)
                return field.name + QStringLiteral(">4MiB");
            if (field.kind == FilterField::Kind::Number)
                return field.name + QStringLiteral(">2");
        }
        return m_fields.empty() ? QString() : m_fields.front().name + QStringLiteral("=\"…\"");
    }

    const QString &m_text;
    std::span<const FilterField> m_fields;
    qsizetype m_at = 0;
};

Result<FilterExpression> FilterExpression::parse(const QString &text, std::span<const FilterField> fields) {
    return Parser(text, fields).run();
}

bool FilterExpression::Term::holds(const FilterValue &value) const {
    if (numeric) {
        const double *const cell = std::get_if<double>(&value);
        if (cell == nullptr || *cell != *cell)
            return false;
        switch (comparison) {
        case Comparison::Less:
            return *cell < number;
        case Comparison::LessOrEqual:
            return *cell <= number;
        case Comparison::Greater:
            return *cell > number;
        case Comparison::GreaterOrEqual:
            return *cell >= number;
        case Comparison::Unequal:
            return *cell != number;
        default:
            return *cell == number;
        }
    }
    const auto *const cell = std::get_if<QString>(&value);
    if (cell == nullptr)
        return false;
    if (comparison == Comparison::Contains)
        return cell->contains(text, Qt::CaseInsensitive) || (text.size() > 1 && text.startsWith(QLatin1Char(' ')) &&
                                                             cell->startsWith(QStringView(text).mid(1), Qt::CaseInsensitive));
    return (cell->compare(text, Qt::CaseInsensitive) == 0) == (comparison == Comparison::Equal);
}

bool FilterExpression::matches(const std::function<FilterValue(std::size_t field)> &valueOf) const {
    const auto holds = [&](const Term &term) {
        return term.negated !=
               std::any_of(term.fields.begin(), term.fields.end(), [&](std::size_t field) { return term.holds(valueOf(field)); });
    };
    return m_alternatives.empty() || std::any_of(m_alternatives.begin(), m_alternatives.end(), [&](const auto &terms) {
               return std::all_of(terms.begin(), terms.end(), holds);
           });
}

} // namespace syncopate::ui
