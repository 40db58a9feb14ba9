// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/knob.h"

#include "ui/theme/elided_label.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {
constexpr int positions = 1000;
constexpr double oneStep = 1.1220184543; ///< 10^(1/20), 20 steps a decade; always changes a value of two significant digits
} // namespace

Knob::Knob(const Theme &theme, KnobInfo info, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_info(std::move(info)), m_name(new ElidedLabel(Qt::ElideMiddle, 1, this)),
      m_field(new QLineEdit(this)), m_slider(new QSlider(Qt::Horizontal, this)), m_reset(new QToolButton(this)),
      m_mark(plainLabel({}, this)) {
    m_name->setText(m_info.name);
    m_slider->setRange(0, positions);
    m_slider->setAccessibleName(m_info.name);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_field->setAccessibleName(m_info.name);
    m_field->setFixedWidth(fieldWidth());
    m_field->setAlignment(Qt::AlignRight);
    m_reset->setText(QStringLiteral("●"));
    m_reset->setAutoRaise(true);
    m_reset->setFixedSize(20, 20);
    m_reset->setAccessibleName(tr("Reset %1").arg(m_info.name));
    m_reset->setToolTip(tr("Reset to the cluster's or the policy's value; double-clicking the name does the same"));
    QSizePolicy kept = m_reset->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // the row must not jump when the dot appears
    m_reset->setSizePolicy(kept);
    layOut();
    setUsable(true);
    connectAll();
    const auto restyle = [this] {
        QPalette colors = m_reset->palette();
        colors.setColor(QPalette::ButtonText, m_theme.color(ColorId::Accent));
        m_reset->setPalette(colors);
        QPalette muted = m_mark->palette();
        muted.setColor(QPalette::WindowText, m_theme.color(ColorId::DimText));
        m_mark->setPalette(muted);
    };
    restyle();
    connect(&m_theme, &Theme::themeChanged, this, restyle);
}

void Knob::layOut() {
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(0);
    grid->addWidget(m_name, 0, 0);
    grid->addWidget(m_reset, 0, 1);
    grid->addWidget(m_field, 0, 2);
    auto *row = new QHBoxLayout; // the mark beside the slider, where it takes no room from the name
    row->addWidget(m_slider, 1);
    row->addWidget(m_mark);
    m_mark->hide();
    grid->addLayout(row, 1, 0, 1, 3);
    grid->setColumnStretch(0, 1);
}

void Knob::connectAll() {
    for (QObject *watched : {static_cast<QObject *>(m_field), static_cast<QObject *>(m_slider), static_cast<QObject *>(m_name)})
        watched->installEventFilter(this);
    connect(m_reset, &QToolButton::clicked, this, &Knob::resetWanted);
    connect(m_field, &QLineEdit::editingFinished, this, &Knob::fieldEdited);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        if (m_showing)
            return;
        const double value = valueAt(position);
        if (m_slider->isSliderDown()) {
            if (value != m_value) {
                m_dragged = true;
                Q_EMIT moved(value);
            }
            return;
        }
        // A key or a notch of the wheel may move the handle by less than there is between two values.
        const int by = position - positionOf(m_value);
        if ((value - m_value) * by > 0)
            Q_EMIT committed(value);
        else if (by != 0)
            step(by > 0 ? 1 : -1);
    });
    connect(m_slider, &QSlider::sliderReleased, this, [this] {
        if (std::exchange(m_dragged, false)) // a click on the handle changes nothing, also where the sides differ
            Q_EMIT committed(valueAt(m_slider->value()));
    });
}

int Knob::fieldWidth() const {
    // QLineEdit tells its frame's size only together with its widest letter; inside, it has margins of two pixels, and the
    // cursor.
    const QFontMetrics metrics(m_field->font());
    const int around = m_field->minimumSizeHint().width() - metrics.maxWidth();
    int widest = metrics.horizontalAdvance(QStringLiteral("0,000 Gbit/s")); // the same for all knobs, if it suffices
    for (int position = 0; position <= positions; position += positions / 20)
        widest = std::max(widest, metrics.horizontalAdvance(m_info.format(valueAt(position))));
    return widest + around + 8;
}

double Knob::tidy(double value) const {
    value = std::clamp(value, m_info.least, m_info.most);
    if (m_info.integer)
        return std::round(value);
    if (value == 0 || value == m_info.least || value == m_info.most)
        return value;
    const double digit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
    return std::clamp(std::round(value / digit) * digit, m_info.least, m_info.most); // 1 GiB would round to 1.02 GiB
}

int Knob::positionOf(double value) const {
    value = std::clamp(value, m_info.least, m_info.most);
    const double share = m_info.logarithmic ? std::log(value / m_info.least) / std::log(m_info.most / m_info.least)
                                            : (value - m_info.least) / (m_info.most - m_info.least);
    return static_cast<int>(std::lround(share * positions));
}

double Knob::valueAt(int position) const {
    const double share = static_cast<double>(position) / positions;
    return tidy(m_info.logarithmic ? m_info.least * std::pow(m_info.most / m_info.least, share)
                                   : m_info.least + share * (m_info.most - m_info.least));
}

void Knob::setValue(double value, bool changed, const KnobSpread &spread) {
    m_value = value;
    m_showing = true;
    // Setting the slider while the user drags it would fight the drag.
    if (!m_slider->isSliderDown())
        m_slider->setValue(positionOf(value));
    m_showing = false;
    m_text = spread.text.isEmpty() ? m_info.format(value) : spread.text;
    m_tip = spread.text.isEmpty() ? toolTipText() : spread.tip;
    if (!m_field->hasFocus() || !m_field->isModified())
        showText();
    m_reset->setVisible(changed);
    m_reset->setToolTip(plainTip(tr("Reset %1 (double-click its name)").arg(m_info.name)));
}

void Knob::showText() {
    m_field->setText(m_text);
    m_field->setCursorPosition(0); // long text is cut at its end
    m_field->setModified(false);
    m_field->setToolTip(plainTip(m_tip));
}

QString Knob::toolTipText() const {
    const QString about = m_withoutEffect.isEmpty() ? m_info.toolTip : m_withoutEffect + QLatin1Char('\n') + m_info.toolTip;
    return about + QLatin1Char('\n') + tr("Up/Down one step, with Shift ten; double-click the name to reset.");
}

void Knob::setWithoutEffect(const QString &reason) {
    m_withoutEffect = reason;
    showMark();
    m_slider->setAccessibleDescription(reason);
}

void Knob::setSides(const QString &sides) {
    m_sides = sides;
    showMark();
}

void Knob::showMark() {
    m_mark->setText(m_withoutEffect.isEmpty() ? m_sides : tr("no effect"));
    m_mark->setVisible(!m_mark->text().isEmpty());
    m_mark->setToolTip(plainTip(m_withoutEffect.isEmpty() ? tr("A setting of the policy of %1").arg(m_sides) : toolTipText()));
}

void Knob::setUsable(bool usable, const QString &reason) {
    m_whyNotUsable = usable ? QString() : reason;
    m_tip = usable ? toolTipText() : reason;
    if (!usable)
        m_field->setModified(false); // it may lose focus now, and half-typed text must not be committed
    for (QWidget *widget : {static_cast<QWidget *>(m_field), static_cast<QWidget *>(m_slider), static_cast<QWidget *>(m_name)}) {
        widget->setEnabled(usable);
        widget->setToolTip(plainTip(m_tip));
    }
    if (!usable) {
        m_field->clear();
        m_field->setPlaceholderText(QStringLiteral("–"));
        m_reset->hide();
    }
}

void Knob::fieldEdited() {
    const bool isTyped = m_field->isModified();
    const QString text = m_field->text();
    showText(); // what was typed may be no value, or change nothing; after an undo in the field it may be an older value
    if (!isTyped)
        return;
    const auto value = m_info.parse(text);
    if (!value)
        Q_EMIT refused(value.error());
    if (!value || std::isnan(*value))
        return;
    const double inside = std::isinf(*value) ? *value : std::clamp(*value, m_info.least, m_info.most);
    Q_EMIT committed(m_info.integer ? std::round(inside) : inside);
}

void Knob::step(double steps) {
    const double one = std::max(1.0, std::pow(10.0, std::floor(std::log10(std::max(m_value, 1.0))) - 2));
    const double next = m_info.integer       ? std::clamp(std::round(m_value + steps * one), m_info.least, m_info.most)
                        : m_info.logarithmic ? tidy(std::max(m_value, m_info.least) * std::pow(oneStep, steps))
                                             : tidy(m_value + steps * (m_info.most - m_info.least) / 100);
    if ((next - m_value) * steps > 0) // a value beyond the range would step back to its end
        Q_EMIT committed(next);
}

bool Knob::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Wheel && watched == m_slider && !m_slider->hasFocus()) {
        event->ignore(); // scrolling the dock must not turn the knob under the pointer
        return true;
    }
    if (event->type() == QEvent::MouseButtonDblClick && watched == m_name && m_name->isEnabled()) {
        Q_EMIT resetWanted();
        return true;
    }
    if (event->type() == QEvent::KeyPress && watched == m_field) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
            showText();
            step((key->key() == Qt::Key_Up ? 1 : -1) * (key->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace syncopate::ui
