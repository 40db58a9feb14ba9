// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the precompiled headers of all tests a target to be made by.
