// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QEvent;

namespace syncopate::ui {

/// Tells the thread that it lives on to fetch something. A ring carries no data: the data lies behind a lock of the program's
/// own, which ThreadSanitizer sees, unlike the lock of Qt's event queue.
class Doorbell final : public QObject {
public:
    /// `answer` is called once for every ring, in the event loop. It may destroy the doorbell.
    explicit Doorbell(std::function<void()> answer);
    /// From any thread. Rings that are not answered yet end with the doorbell.
    void ring();

protected:
    bool event(QEvent *event) override;

private:
    std::function<void()> m_answer;
};

} // namespace syncopate::ui
