// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/idle_knobs.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/first_contact.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace syncopate::ui {

IdleKnobs::Reason IdleKnobs::reasonOf(const SessionState &state) {
    if (showsRecording(state))
        return Reason::Recording;
    if (!whyNotPlanned(state).isEmpty()) // nothing is loaded
        return Reason::None;
    for (const Side side : {Side::A, Side::B})
        if ((side == Side::A || state.compare) && !std::holds_alternative<Measured>(state.side(side).source))
            return Reason::None;
    return Reason::Measured;
}

IdleKnobs::IdleKnobs(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_line(plainLabel()), m_button(new QPushButton) {
    m_line->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_line);
    column->addWidget(m_button, 0, Qt::AlignLeft);
    connect(m_button, &QPushButton::clicked, this, &IdleKnobs::help);
    hide();
}

QString IdleKnobs::text() const { return m_line->text(); }

void IdleKnobs::refresh() {
    const SessionState &state = m_session.state();
    m_reason = reasonOf(state);
    setVisible(m_reason != Reason::None);
    if (m_reason == Reason::Recording) {
        const QString why = said(whyNoJob(*state.job));
        m_line->setText(tr("This recording holds no training step, so there is nothing for knobs to change."));
        m_line->setToolTip(plainTip(why));
        m_button->setText(tr("Open a profile…"));
        m_button->setToolTip(plainTip(why));
    } else { // a hidden button has a name, too
        m_line->setText(state.compare ? tr("A and B show the measured step; knobs change simulations.")
                                      : tr("A shows the measured step; knobs change simulations."));
        m_line->setToolTip({});
        m_button->setText(tr("Simulate this step"));
        m_button->setToolTip(tr("Show the simulation of this step on the cluster above in B; the knobs change it"));
    }
}

void IdleKnobs::help() {
    if (m_reason == Reason::Recording)
        Q_EMIT openWanted();
    else if (m_reason == Reason::Measured)
        simulate();
}

void IdleKnobs::simulate() { m_session.change(withSimulatedStep(m_session.state()), tr("Simulate the measured step")); }

} // namespace syncopate::ui
