// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the panel: first the effective ones, then, folded below a line, those that nothing on screen uses.
#include "engine/session/dag_job.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr const char *showsIgnored = "knobs/showsIgnored"; ///< setting: whether knobs that nothing uses are unfolded

} // namespace

void KnobsPanel::makeKnobs(QVBoxLayout &column) {
    m_knobColumn = new QVBoxLayout;
    m_knobColumn->setSpacing(6);
    for (std::size_t k = 0; k < m_bindings.size(); ++k) {
        auto *knob = new Knob(m_theme, m_bindings[k].info);
        knob->setObjectName(m_bindings[k].id);
        m_knobs.push_back(knob);
        m_knobColumn->addWidget(knob);
        bind(k, knob);
    }
    makeFold();
    m_knobColumn->addWidget(m_fold);
    column.addLayout(m_knobColumn);
}

void KnobsPanel::makeFold() {
    m_fold = new QToolButton;
    m_fold->setCheckable(true);
    m_fold->setChecked(QSettings().value(QLatin1String(showsIgnored), false).toBool());
    m_fold->setAutoRaise(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setArrowType(m_fold->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->hide();
    connect(m_fold, &QToolButton::toggled, this, [this](bool shows) {
        QSettings().setValue(QLatin1String(showsIgnored), shows);
        m_fold->setArrowType(shows ? Qt::DownArrow : Qt::RightArrow);
        arrangeKnobs(m_ignored);
    });
}

void KnobsPanel::refreshKnobs() {
    const SessionState &state = m_session.state();
    const bool folds = whyNotPlanned(state).isEmpty(); // else none has an effect, for one and the same reason
    const IdleKnobs::Reason idle = m_idle->reason();
    std::vector<bool> ignored(m_knobs.size());
    std::vector<QString> reasons(m_knobs.size());
    for (std::size_t k = 0; k < m_knobs.size(); ++k) {
        const QString reason = m_bindings[k].whyNot(state);
        ignored[k] = folds && (idle == IdleKnobs::Reason::Measured || !reason.isEmpty());
        if (ignored[k])
            reasons[k] = idle == IdleKnobs::Reason::Measured ? m_idle->text() : reason;
        m_knobs[k]->setWithoutEffect(reason.isEmpty() ? m_bindings[k].withoutEffect(state) : QString());
        m_knobs[k]->setSides(m_bindings[k].sides(state));
        m_knobs[k]->setUsable(reason.isEmpty(), reason);
        if (reason.isEmpty())
            m_knobs[k]->setValue(m_bindings[k].value(state), m_bindings[k].isChanged(state), m_bindings[k].spread(state));
    }
    const bool hasKnobs = idle != IdleKnobs::Reason::Recording;
    if (ignored != m_ignored || hasKnobs != m_hasKnobs) {
        m_hasKnobs = hasKnobs;
        arrangeKnobs(ignored);
    }
    describeFold(reasons);
}

void KnobsPanel::arrangeKnobs(const std::vector<bool> &ignored) {
    m_ignored = ignored;
    QWidget *before = &m_idle->button();
    const auto place = [this, &before](QWidget *widget, std::initializer_list<QWidget *> inside) {
        m_knobColumn->removeWidget(widget);
        m_knobColumn->addWidget(widget);
        for (QWidget *one : inside) {
            setTabOrder(before, one);
            before = one;
        }
    };
    for (const bool folded : {false, true}) {
        if (folded)
            place(m_fold, {m_fold});
        for (std::size_t k = 0; k < m_knobs.size(); ++k)
            if (m_ignored[k] == folded) {
                place(m_knobs[k], {m_knobs[k]->field(), m_knobs[k]->slider(), m_knobs[k]->resetButton()});
                m_knobs[k]->setVisible(m_hasKnobs && (!folded || m_fold->isChecked()));
            }
    }
}

void KnobsPanel::describeFold(const std::vector<QString> &reasons) {
    std::vector<std::pair<QString, QStringList>> namesByReason; // a reason that many share is told once
    int count = 0;
    for (std::size_t k = 0; k < m_knobs.size(); ++k) {
        if (reasons[k].isEmpty())
            continue;
        ++count;
        auto group = std::ranges::find(namesByReason, reasons[k], &std::pair<QString, QStringList>::first);
        if (group == namesByReason.end())
            group = namesByReason.insert(group, {reasons[k], {}});
        group->second += m_bindings[k].info.name;
    }
    QStringList lines;
    for (const auto &[reason, names] : namesByReason)
        lines += tr("%1: %2").arg(names.join(QLatin1String(", ")), reason);
    m_fold->setVisible(count > 0);
    m_fold->setText(showsDag(m_session.state())         ? tr("%n knobs that plans ignore", nullptr, count)
                    : !showsStrategy(m_session.state()) ? tr("%n knobs without effect now", nullptr, count)
                                                        : tr("%n knobs of other policies", nullptr, count));
    m_fold->setToolTip(plainTip(lines.join(QLatin1Char('\n'))));
    m_fold->setAccessibleDescription(lines.join(QLatin1Char('\n')));
}

} // namespace syncopate::ui
