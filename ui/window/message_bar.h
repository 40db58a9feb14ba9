// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QFrame>
#include <functional>

class QLabel;
class QToolButton;

namespace syncopate::ui {

class Theme;

/// An inline message: what went wrong, where, and how to fix it; or that something was done. Never a modal box.
class MessageBar final : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(const Theme &theme, QWidget *parent = nullptr);

    /// Whether a message about the present state still holds; none: it is not about the state.
    using IsTrue = std::function<bool()>;
    void showError(const Error &error, IsTrue isTrue = {});
    /// Hides a message that does not hold any more: call when the state or its runs have changed.
    void hideUntrue();
    /// Something has succeeded since: `ofFile`, reading a file, which hides an error about a file, else an action in the window,
    /// which hides any other error.
    void clearError(bool ofFile);
    /// A success; `folder`, if given, can be opened from the bar.
    void showDone(const QString &text, const QString &folder = {}, IsTrue isTrue = {});
    /// A remark; `button` calls `run`, and is hidden if there is none.
    void showOffer(const QString &text, const QString &button, const QString &toolTip, std::function<void()> run);
    [[nodiscard]] QString text() const { return m_plain; }

private:
    void show(const QString &html, const QString &plain);
    void restyle();

    const Theme &m_theme;
    QLabel *m_label;
    QToolButton *m_copy, *m_offer;
    std::function<void()> m_run; ///< the action of m_offer
    QString m_plain;
    bool m_isError = false;
    IsTrue m_isTrue;
    bool m_isOfFile = false; ///< the error is about a file
};

} // namespace syncopate::ui
