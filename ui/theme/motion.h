// SPDX-License-Identifier: GPL-3.0-or-later
// Whether things that change position glide there, so that the eye can follow, or jump. Nothing under direct manipulation (wheel,
// drag) glides: it would lag behind.
#pragma once

namespace syncopate::ui {

/// Off by default, for tests and pictures; the program turns it on.
void allowMotion(bool allowed);
/// The setting View > Animations, kept in the user's settings.
[[nodiscard]] bool isMotionWanted();
void setMotionWanted(bool wanted);
/// Duration of a movement in milliseconds; 0 if it is not allowed, not wanted, or reduced by the platform's style
/// (QStyle::SH_Widget_Animation_Duration).
[[nodiscard]] int motionMilliseconds();

} // namespace syncopate::ui
