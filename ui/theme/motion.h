// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what changes its place glides there, so that the eye can follow, or is there at once. Nothing that a hand moves (the
// wheel, a drag) glides: it would lag behind.
#pragma once

namespace syncopate::ui {

/// Movements are for people: the program allows them, and tests and pictures are without.
void allowMotion(bool allowed);
/// What View > Animations says; kept in the settings.
[[nodiscard]] bool isMotionWanted();
void setMotionWanted(bool wanted);
/// How long a movement takes, milliseconds; 0 where there is none: it is not allowed, not wanted, or the platform's style asks
/// for less of it (QStyle::SH_Widget_Animation_Duration).
[[nodiscard]] int motionMilliseconds();

} // namespace syncopate::ui
