// SPDX-License-Identifier: GPL-3.0-or-later
// A monkey test of the explorer: clicks, drags, scrolls, types, triggers actions, opens, saves, exports, undoes, at random from a
// seed, through the same event path as a user's. It checks for crashes, a response to every step, and that after a rest there are
// as many objects and (nearly) as much memory in use as before.
//
//   monkey [--seconds 20 | --steps N] [--patience 60] [--seed 1] [--strict]
//
// A warning from Qt is printed, and recorded among the actions; --strict treats it as a failure and stops there. The seed
// determines the actions; how far the worker threads are at each of them varies from run to run.
#include "engine/base/rng.h"
#include "tests/ui/flight_recorder.h"
#include "tests/ui/stay_clock.h"
#include "ui/export/export_sheet.h"
#include "ui/knobs/knob.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/recent_files.h"
#include "ui/runs/searcher.h"
#include "ui/runs/sweep_preset.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/why/why_panel.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QPixmapCache>
#include <QPointer>
#include <QSlider>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <fstream>
#include <malloc.h>
#include <map>
#include <string>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(); // Debian's GCC lacks the header
#endif

using namespace syncopate;
using namespace syncopate::ui;

namespace {

bool strict = false;
QString failure; ///< if strict: the first warning from Qt

void listen(QtMsgType type, const QMessageLogContext &, const QString &text) {
    if (type == QtDebugMsg || type == QtInfoMsg)
        return;
    // The offscreen platform has no screen.
    if (text.contains(QLatin1String("This plugin does not support")))
        return;
    // Qt's own file dialog warns so about a file that it cannot rename.
    if (text.startsWith(QLatin1String("edit: ")))
        return;
    // And about a cell whose row was replaced while it was edited.
    if (text.startsWith(QLatin1String("QAbstractItemView::closeEditor called with an editor that does not belong")))
        return;
    std::fprintf(stderr, "Qt: %s\n", qUtf8Printable(text));
    if (qApp && QThread::currentThread() == qApp->thread())
        FlightRecorder::instance().note(QStringLiteral("  Qt: ") + text);
    if (strict && failure.isEmpty())
        failure = text;
}

/// The resources that the process holds.
struct Footprint {
    double usedMebibytes = 0;           ///< allocated and not freed
    double residentMebibytes = 0;       ///< of the process, including the allocator's free memory
    qsizetype objects = 0;              ///< below the window
    qsizetype widgets = 0;              ///< in the whole application
    std::map<std::string, int> classes; ///< count of those objects per class
};

double usedBytes() {
#if defined(__SANITIZE_ADDRESS__)
    return static_cast<double>(__sanitizer_get_current_allocated_bytes());
#else
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
#endif
}

/// Qt creates the popup of a combo box when it is first opened, and keeps it: their number grows with time.
bool isOfAPopup(const QObject *object) {
    while (object && !object->inherits("QComboBoxPrivateContainer"))
        object = object->parent();
    return object != nullptr;
}

Footprint footprintOf(const MainWindow &window) {
    malloc_trim(0);
    constexpr double mebibyte = 1024.0 * 1024;
    std::ifstream file("/proc/self/statm");
    double pages = 0, resident = 0;
    file >> pages >> resident;
    QList<QObject *> objects = window.findChildren<QObject *>();
    objects.removeIf(isOfAPopup);
    QWidgetList widgets = QApplication::allWidgets();
    widgets.removeIf(isOfAPopup);
    Footprint footprint{usedBytes() / mebibyte,
                        resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / mebibyte,
                        objects.size(),
                        widgets.size(),
                        {}};
    for (const QObject *object : objects)
        ++footprint
              .classes[object->metaObject()->className() + std::string(" in ") + object->parent()->metaObject()->className()];
    return footprint;
}

class Monkey final : public QObject {
public:
    Monkey(StayClock &clock, MainWindow &window, std::uint64_t seed, int patienceSeconds, QString folder)
        : m_clock(clock), m_window(window), m_rng(seed), m_patienceSeconds(patienceSeconds), m_folder(std::move(folder)) {
        m_jobs = {copied(QStringLiteral("sample_data/resnet50_cpu_gloo_rank0.json.gz")), QStringLiteral("resnet50"),
                  QStringLiteral("vgg16"), QStringLiteral("bert_large"), QStringLiteral("no such job")};
        m_clusters = {QStringLiteral("B7"), QStringLiteral("A1"), copied(QStringLiteral("sample_data/cluster_8x1gbe.yml")),
                      QStringLiteral("no such cluster")};
        for (const char *damaged : {"tests/damaged/job/", "tests/damaged/cluster/"})
            for (const QString &name : QDir(QLatin1String(SYNCOPATE_SOURCE "/") + QLatin1String(damaged)).entryList(QDir::Files))
                (QLatin1String(damaged).contains(QLatin1String("job")) ? m_jobs : m_clusters)
                    .push_back(copied(QLatin1String(damaged) + name));
    }

    /// Plays for `seconds`, or for `steps` steps if that is above 0, then rests. Returns the parts that are still busy; empty:
    /// none.
    QString play(double seconds, std::size_t steps) {
        const auto length =
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
        m_until = std::chrono::steady_clock::now() + length;
        m_lastStep = steps > 0 ? m_steps + steps : 0;
        m_done = false;
        comeAgain();
        m_loop.exec();
        return rest();
    }

    [[nodiscard]] std::size_t steps() const { return m_steps; }

private:
    /// A source file copied to where it may be overwritten, as clicks in a file dialog do.
    QString copied(const QString &file) const {
        const QFileInfo copy(m_folder + QLatin1Char('/') + file);
        QDir().mkpath(copy.path());
        QFile::copy(QLatin1String(SYNCOPATE_SOURCE "/") + file, copy.filePath());
        return copy.filePath();
    }
    std::size_t upTo(std::size_t count) { return count == 0 ? 0 : m_rng.next() % count; }
    bool chance(double p) { return m_rng.uniform(0, 1) < p; }
    template <class List> const auto &any(const List &list) { return list[static_cast<qsizetype>(upTo(list.size()))]; }

    void comeAgain() {
        QTimer::singleShot(static_cast<int>(upTo(12)), this, [this] {
            QMetaObject::invokeMethod(
                &m_clock.hands, [this] { m_clock.apart([this] { step(); }); }, Qt::QueuedConnection);
        });
    }

    /// Reschedules itself by a timer before acting, so that it continues within the event loops of menus and file dialogs.
    void step() {
        if (m_done)
            return;
        comeAgain();
        if (m_hands > 0 && !QApplication::activePopupWidget() && !QApplication::activeModalWidget())
            return; // in the middle of a gesture
        const bool over = m_lastStep > 0 ? m_steps >= m_lastStep : std::chrono::steady_clock::now() >= m_until;
        if (over || !failure.isEmpty()) {
            if (dismiss() || m_hands > 0)
                return;
            m_done = true;
            m_loop.quit();
            return;
        }
        ++m_hands;
        ++m_steps;
        act();
        --m_hands;
    }

    void note(const QString &text) {
        FlightRecorder::instance().note(QStringLiteral("%1 %2%3").arg(m_steps).arg(m_hands > 1 ? "  " : "", text));
    }

    /// Closes the popup or dialog in front. Returns false if there is none.
    static bool dismiss() {
        if (QWidget *popup = QApplication::activePopupWidget()) {
            popup->close();
            return true;
        }
        QWidget *modal = QApplication::activeModalWidget();
        if (!modal)
            return false;
        if (auto *dialog = qobject_cast<QDialog *>(modal))
            dialog->reject();
        else
            modal->close();
        return true;
    }

    std::vector<MainWindow *> windows() const {
        std::vector<MainWindow *> all;
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *window = qobject_cast<MainWindow *>(widget); window && window->isVisible())
                all.push_back(window);
        return all;
    }
    MainWindow &anyWindow() {
        const auto all = windows();
        return all.empty() || chance(0.7) ? m_window : *all[upTo(all.size())];
    }

    /// The widget within the user's reach: the popup or dialog in front, else a window or, sometimes, a floating panel.
    QWidget *front() {
        if (QWidget *popup = QApplication::activePopupWidget())
            return popup;
        if (QWidget *modal = QApplication::activeModalWidget())
            return modal;
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (qobject_cast<QDockWidget *>(widget) && widget->isVisible() && chance(0.3))
                return widget;
        return &anyWindow();
    }

    /// A visible position in `top`, in its coordinates, and the widget there.
    std::pair<QPoint, QPointer<QWidget>> anyPlace(QWidget &top) {
        QList<QWidget *> all = top.findChildren<QWidget *>();
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [&](QWidget *widget) {
                                     return !widget->isVisible() || widget->window() != &top || widget->visibleRegion().isEmpty();
                                 }),
                  all.end());
        if (all.isEmpty())
            return {QPoint(static_cast<int>(upTo(static_cast<std::size_t>(std::max(1, top.width())))),
                           static_cast<int>(upTo(static_cast<std::size_t>(std::max(1, top.height()))))),
                    &top};
        QWidget *widget = any(all);
        const QRect seen = widget->visibleRegion().boundingRect();
        const QPoint within(seen.left() + static_cast<int>(upTo(static_cast<std::size_t>(seen.width()))),
                            seen.top() + static_cast<int>(upTo(static_cast<std::size_t>(seen.height()))));
        return {widget->mapTo(&top, within), widget};
    }

    static QString named(const QWidget *widget) {
        if (!widget)
            return {};
        const QString name = widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
        return QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + name;
    }
    static QString text(const QPoint &at) { return QStringLiteral("%1,%2").arg(at.x()).arg(at.y()); }

    /// A widget closed by a press, a key or a result gets no more events.
    static bool isSeen(const QWindow *window) { return window && window->isVisible(); }
    /// Windows may change their size during a gesture.
    static QPoint within(const QWindow *window, const QPoint &at) {
        return {std::clamp(at.x(), 1, std::max(1, window->width() - 2)),
                std::clamp(at.y(), 1, std::max(1, window->height() - 2))};
    }

    void act() {
        for (MainWindow *window : windows())
            for (const char *ending : {"quit", "close"}) // they would end the test, or leave nothing to play with
                window->action(QLatin1String(ending))->setEnabled(false);
        if (windows().size() > 2)
            closeAnother();
        if (auto *files = qobject_cast<QFileDialog *>(QApplication::activeModalWidget()); files && chance(0.7)) {
            answer(*files);
            return;
        }
        if ((QApplication::activePopupWidget() || QApplication::activeModalWidget()) && chance(0.15)) {
            note(QStringLiteral("dismiss"));
            dismiss();
            return;
        }
        using Act = void (Monkey::*)();
        static constexpr std::array<std::pair<int, Act>, 13> acts{{{30, &Monkey::click},
                                                                   {22, &Monkey::drag},
                                                                   {10, &Monkey::scroll},
                                                                   {14, &Monkey::press},
                                                                   {10, &Monkey::type},
                                                                   {14, &Monkey::trigger},
                                                                   {6, &Monkey::turnKnob},
                                                                   {6, &Monkey::undoOrRedo},
                                                                   {3, &Monkey::open},
                                                                   {3, &Monkey::saveOrReopen},
                                                                   {3, &Monkey::exportSomething},
                                                                   {3, &Monkey::choose},
                                                                   {1, &Monkey::resize}}};
        int sum = 0;
        for (const auto &one : acts)
            sum += one.first;
        int drawn = static_cast<int>(upTo(static_cast<std::size_t>(sum)));
        for (const auto &[weight, run] : acts)
            if ((drawn -= weight) < 0) {
                (this->*run)();
                return;
            }
    }

    void click() {
        QWidget *top = front();
        const auto [at, widget] = anyPlace(*top);
        const Qt::MouseButton button = chance(0.12) ? Qt::RightButton : Qt::LeftButton;
        const Qt::KeyboardModifiers keys = anyModifiers();
        const bool twice = chance(0.15);
        note(QStringLiteral("click %1 %2 %3 at %4")
                 .arg(twice ? "twice" : "", button == Qt::RightButton ? "right" : "", named(widget), text(at)));
        const QPointer<QWindow> window = top->windowHandle();
        const auto press = [&] {
            if (isSeen(window))
                QTest::mousePress(window, button, keys, within(window, at));
            if (isSeen(window))
                QTest::mouseRelease(window, button, keys, within(window, at));
        };
        if (isSeen(window))
            QTest::mouseMove(window, within(window, at));
        press();
        if (twice) {
            QTest::lastMouseTimestamp -= QTest::mouseDoubleClickInterval; // QTest separates clicks by this interval
            press();
        }
        // The platform requests context menus, but there is none here.
        if (button == Qt::RightButton && widget && !QApplication::activePopupWidget()) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, widget->mapFrom(top, at), top->mapToGlobal(at));
            QApplication::sendEvent(widget, &event);
        }
    }

    void drag() {
        QWidget *top = front();
        const auto [from, widget] = anyPlace(*top);
        QPoint to = anyPlace(*top).first;
        if (widget && chance(0.6)) // within one widget
            to = from + QPoint(static_cast<int>(m_rng.uniform(-1, 1) * widget->width()),
                               static_cast<int>(m_rng.uniform(-1, 1) * widget->height()));
        const Qt::MouseButton button = chance(0.1) ? Qt::MiddleButton : Qt::LeftButton;
        const Qt::KeyboardModifiers keys = anyModifiers();
        note(QStringLiteral("drag %1 from %2 to %3").arg(named(widget), text(from), text(to)));
        const QPointer<QWindow> window = top->windowHandle();
        if (!isSeen(window))
            return;
        QTest::mousePress(window, button, keys, within(window, from));
        constexpr int moves = 8;
        for (int m = 1; m <= moves && isSeen(window); ++m)
            QTest::mouseMove(window, within(window, from + (to - from) * m / moves));
        if (window)
            QTest::mouseRelease(window, button, keys, within(window, to));
    }

    void scroll() {
        QWidget *top = front();
        const auto [at, widget] = anyPlace(*top);
        const Qt::KeyboardModifiers keys = anyModifiers();
        const int turn = static_cast<int>(m_rng.uniform(-4, 5)) * 120;
        note(QStringLiteral("scroll %1 by %2").arg(named(widget)).arg(turn));
        const QPointer<QWindow> window = top->windowHandle();
        if (!window)
            return;
        QWheelEvent event(at, top->mapToGlobal(at), {}, chance(0.8) ? QPoint(0, turn) : QPoint(turn, 0), Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(window, &event);
    }

    Qt::KeyboardModifiers anyModifiers() {
        static const QList<Qt::KeyboardModifiers> some{Qt::NoModifier, Qt::NoModifier,      Qt::NoModifier,
                                                       Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier};
        return any(some);
    }

    void press() {
        static const QList<int> keys{
            Qt::Key_Tab,       Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,  Qt::Key_Left,   Qt::Key_Right,
            Qt::Key_Up,        Qt::Key_Down,    Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp, Qt::Key_Delete, Qt::Key_PageDown,
            Qt::Key_Backspace, Qt::Key_A,       Qt::Key_C,      Qt::Key_D,      Qt::Key_F,      Qt::Key_L,      Qt::Key_M,
            Qt::Key_N,         Qt::Key_P,       Qt::Key_S,      Qt::Key_W,      Qt::Key_X,      Qt::Key_Z,      Qt::Key_Slash,
            Qt::Key_F1,        Qt::Key_F2,      Qt::Key_Comma,  Qt::Key_Period, Qt::Key_Plus,   Qt::Key_Minus};
        QWidget *top = front();
        const int key = any(keys);
        const Qt::KeyboardModifiers modifiers = anyModifiers();
        note(QStringLiteral("press %1").arg(QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key))).toString()));
        strike(top, static_cast<Qt::Key>(key), modifiers);
    }

    /// Not QTest::keyClick(), which continues with a window that the key may have closed: one event at a time.
    static void strike(const QWidget *top, Qt::Key key, Qt::KeyboardModifiers modifiers = {}, QString text = {}) {
        const QPointer<QWindow> window = top ? top->windowHandle() : nullptr;
        if (const char ascii = QTest::keyToAscii(key); text.isEmpty() && ascii != 0 && !(modifiers & Qt::ControlModifier))
            text = QLatin1Char(ascii);
        for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            if (isSeen(window))
                qt_handleKeyEvent(window, type, key, modifiers, text);
            QCoreApplication::processEvents();
        }
    }

    void type() {
        static const QStringList texts{QStringLiteral("conv"),
                                       QStringLiteral("12"),
                                       QStringLiteral("-1"),
                                       QStringLiteral("1e309"),
                                       QStringLiteral("nan"),
                                       QStringLiteral("8 Gb/s"),
                                       QStringLiteral("100 us"),
                                       QStringLiteral("bytes>4MiB or !kernel"),
                                       QStringLiteral("iteration<"),
                                       QStringLiteral("AllReduce(chunk_size=64)"),
                                       QStringLiteral("PartitionedPS(max_shards=0)"),
                                       QStringLiteral("bytescheduler(partition=1MiB,credit=4MiB)"),
                                       QStringLiteral("\"<b>&"),
                                       QStringLiteral("../..")};
        const QPointer<QWidget> top = front();
        const QString text = any(texts);
        note(QStringLiteral("type %1 into %2").arg(text, named(QApplication::focusWidget())));
        if (chance(0.5))
            strike(top, Qt::Key_A, Qt::ControlModifier);
        for (const QChar c : text)
            strike(top, QTest::asciiToKey(c.toLatin1()), {}, c);
        if (chance(0.5))
            strike(top, Qt::Key_Return);
    }

    void trigger() {
        if (QApplication::activePopupWidget() || QApplication::activeModalWidget()) {
            click();
            return;
        }
        QList<QAction *> actions = anyWindow().findChildren<QAction *>();
        actions.erase(std::remove_if(actions.begin(), actions.end(),
                                     [](const QAction *action) { return !action->isEnabled() || action->text().isEmpty(); }),
                      actions.end());
        if (actions.isEmpty())
            return;
        QAction *action = any(actions);
        note(QStringLiteral("trigger %1 %2").arg(action->objectName(), action->text()));
        action->trigger();
    }

    void turnKnob() {
        const QList<Knob *> knobs = anyWindow().knobs().findChildren<Knob *>();
        if (QApplication::activeModalWidget() || knobs.isEmpty())
            return;
        const QPointer<QSlider> slider = any(knobs)->slider();
        if (!slider->isEnabled())
            return;
        note(QStringLiteral("turn %1").arg(named(slider)));
        slider->setSliderDown(true);
        double position = m_rng.uniform(slider->minimum(), slider->maximum());
        for (int m = 0; m < 10 && slider; ++m) {
            position += m_rng.uniform(-20, 20);
            slider->setSliderPosition(static_cast<int>(position));
            QCoreApplication::processEvents();
        }
        if (slider)
            slider->setSliderDown(false);
    }

    void undoOrRedo() {
        const bool undo = chance(0.7);
        note(undo ? QStringLiteral("undo") : QStringLiteral("redo"));
        if (!QApplication::activeModalWidget())
            anyWindow().action(undo ? QStringLiteral("undo") : QStringLiteral("redo"))->trigger();
    }

    void open() {
        const bool job = chance(0.6);
        const QString &what = job ? any(m_jobs) : any(m_clusters);
        note(QStringLiteral("open %1").arg(what));
        if (job)
            anyWindow().session().open(what);
        else
            anyWindow().session().openCluster(what, chance(0.5) ? std::nullopt : std::optional(Side::B));
        if (chance(0.1))
            anyWindow().session().cancelLoad();
    }

    QString anyProject() { return m_folder + QStringLiteral("/p%1.syncopate").arg(upTo(3)); }

    void saveOrReopen() {
        MainWindow &window = anyWindow();
        const QString path = anyProject();
        const auto what = upTo(3);
        note(QStringLiteral("%1 %2").arg(what == 0 ? "reopen" : what == 1 ? "save" : "save as", path));
        if (what == 0) {
            if (QFile::exists(path))
                window.session().open(path);
        } else if (window.session().state().job) {
            if (what == 1 && !window.keeper().path().isEmpty())
                window.keeper().save();
            else
                window.keeper().saveAs(path);
        }
    }

    void exportSomething() {
        MainWindow &window = anyWindow();
        if (QApplication::activeModalWidget() || !window.action(QStringLiteral("export"))->isEnabled())
            return;
        window.action(QStringLiteral("export"))->trigger();
        auto *sheet = qobject_cast<ExportSheet *>(QApplication::activeModalWidget());
        if (!sheet)
            return;
        const auto tab = static_cast<ExportSheet::Tab>(upTo(6));
        note(QStringLiteral("export tab %1").arg(tab));
        sheet->setFolder(chance(0.9) ? m_folder : QStringLiteral("/proc/self/task")); // not writable
        sheet->setTab(tab);
        for (int n = 0; n < 2; ++n) {
            const QList<QComboBox *> boxes = sheet->findChildren<QComboBox *>();
            if (QComboBox *box = any(boxes); box->count() > 0)
                box->setCurrentIndex(static_cast<int>(upTo(static_cast<std::size_t>(box->count()))));
        }
        if (chance(0.7))
            sheet->accept();
    }

    void choose() {
        QWidget *top = front();
        QList<QComboBox *> boxes = top->findChildren<QComboBox *>();
        boxes.erase(
            std::remove_if(boxes.begin(), boxes.end(),
                           [](const QComboBox *box) { return !box->isVisible() || !box->isEnabled() || box->count() == 0; }),
            boxes.end());
        if (boxes.isEmpty())
            return;
        QComboBox *box = any(boxes);
        const int index = static_cast<int>(upTo(static_cast<std::size_t>(box->count())));
        note(QStringLiteral("choose %1 of %2").arg(box->itemText(index), named(box)));
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }

    void resize() {
        const QSize size(static_cast<int>(m_rng.uniform(900, 2000)), static_cast<int>(m_rng.uniform(500, 1300)));
        note(QStringLiteral("resize to %1x%2").arg(size.width()).arg(size.height()));
        anyWindow().resize(size);
    }

    void closeAnother() {
        for (MainWindow *window : windows())
            if (window != &m_window && !QApplication::activeModalWidget() && !QApplication::activePopupWidget()) {
                note(QStringLiteral("close a window"));
                window->close();
                return;
            }
    }

    void answer(QFileDialog &files) {
        if (chance(0.3) || files.fileMode() == QFileDialog::Directory) {
            note(QStringLiteral("cancel the file dialog"));
            files.reject();
            return;
        }
        const bool saves = files.acceptMode() == QFileDialog::AcceptSave;
        const QString path = !saves                                                ? any(chance(0.5) ? m_jobs : m_clusters)
                             : files.nameFilters().join(QString()).contains("yml") ? m_folder + QStringLiteral("/cluster.yml")
                                                                                   : anyProject();
        note(QStringLiteral("answer the file dialog: %1").arg(path));
        files.selectFile(path);
        QMetaObject::invokeMethod(&files, "accept", Qt::QueuedConnection); // it may ask whether to replace the file
    }

    /// Returns to a new window with one job loaded. Returns the parts that do not settle within a minute; empty: all did.
    QString rest() {
        const auto wait = [this](const std::function<bool()> &condition) {
            for (int n = 0; n < 10 * m_patienceSeconds; ++n) {
                if (condition())
                    return true;
                FlightRecorder::instance().alive();
                QTest::qWait(100);
            }
            return false;
        };
        const auto settled = [this] {
            dismiss();
            return !m_window.session().isLoading() && !m_window.session().isStale();
        };
        note(QStringLiteral("rest"));
        while (dismiss())
            QTest::qWait(1);
        for (MainWindow *window : windows())
            if (window != &m_window)
                window->close();
        m_window.searcher().stop();
        m_window.resize(1440, 900);
        m_window.action(QStringLiteral("theme_dark"))->trigger();
        m_window.action(QStringLiteral("lanesAsSimulated"))->trigger();
        note(QStringLiteral("rest: load"));
        m_window.session().open(QStringLiteral("resnet50"), QStringLiteral("B7"));
        if (!wait(settled) || !m_window.session().state().job)
            return QStringLiteral("loading a job");
        SessionState state = m_window.session().state();
        SessionState plain;
        plain.source = state.source;
        plain.job = state.job;
        plain.cluster = state.cluster;
        plain.clusterSource = state.clusterSource;
        plain.compare = true;
        plain.sides = {SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}, SideState{Built{"PSLoadBalancing"}, "fifo"}};
        m_window.session().change(plain, QStringLiteral("rest"));
        m_window.notes().setNotes({});
        m_window.keeper().changeScenarios({}, QStringLiteral("rest"));
        m_window.session().undoStack()->clear();
        RecentFiles::clear();
        QApplication::clipboard()->clear();
        // The history of a search and the answers of panels are kept legitimately: use the same ones each time.
        SearchPlan plan;
        plan.state = plain;
        plan.trials = 1;
        m_window.searcher().start(plan);
        if (auto *tutorial = m_window.findChild<QDockWidget *>(QStringLiteral("tutorial")))
            tutorial->close();
        note(QStringLiteral("rest: reset the layout"));
        m_window.action(QStringLiteral("resetLayout"))->trigger();
        m_window.action(QStringLiteral("topology"))->trigger();
        QTest::qWait(300);
        note(QStringLiteral("rest: explain"));
        m_window.action(QStringLiteral("explain"))->trigger();
        m_window.why().askIteration(Side::A);
        if (!wait([&] {
                const auto answer = m_window.why().answer();
                return settled() && answer && answer->complete && answer->run == m_window.session().run(Side::A);
            }))
            return QStringLiteral("explaining the iteration");
        note(QStringLiteral("rest: sweep"));
        m_window.action(QStringLiteral("sweep"))->trigger();
        m_window.sweeps().sweepKnob(QStringLiteral("bandwidth"));
        // Two knobs are 578 simulations, which may take longer on a busy machine, but each single one may not.
        const auto swept = [this] {
            const auto sweep = m_window.sweeps().sweep();
            return sweep && sweep->state.job == m_window.session().state().job ? sweep->done : 0;
        };
        const auto complete = [&] { return swept() > 0 && m_window.sweeps().sweep()->isComplete(); };
        while (!complete()) {
            const std::size_t before = swept();
            if (!wait([&] { return complete() || swept() != before; }))
                return QStringLiteral("sweeping a knob: simulation %1 of %2, %3")
                    .arg(before)
                    .arg(m_window.sweeps().sweep() ? m_window.sweeps().sweep()->total() : 0)
                    .arg(m_window.sweeps().stateLine().state().text);
        }
        m_window.action(QStringLiteral("resetLayout"))->trigger();
        if (!wait(settled) || !m_window.session().run(Side::A) || !m_window.session().run(Side::B))
            return QStringLiteral("simulating");
        if (!wait([this] { return m_window.searcher().status() != Searcher::Status::Running; }))
            return QStringLiteral("searching");
        if (!wait([this] { return m_window.findChildren<ExportSheet *>().isEmpty(); }))
            return QStringLiteral("making what was to be exported");
        QTest::qWait(1500); // for delayed saves, sweeps and answers
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QPixmapCache::clear();
        return {};
    }

    StayClock &m_clock;
    MainWindow &m_window;
    Rng m_rng;
    int m_patienceSeconds;
    QString m_folder;
    QStringList m_jobs, m_clusters;
    std::chrono::steady_clock::time_point m_until;
    QEventLoop m_loop;
    int m_hands = 0; ///< nested gestures in progress: a menu or a dialog runs a loop within one
    bool m_done = true;
    std::size_t m_steps = 0, m_lastStep = 0;
};

/// Swallows requests to open folders on the desktop.
class Swallow final : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void open(const QUrl &) {}
};

void print(const char *when, const Footprint &f) {
    std::printf("%s: %.1f MiB in use, %.1f MiB resident, %lld objects in the window, %lld widgets\n", when, f.usedMebibytes,
                f.residentMebibytes, static_cast<long long>(f.objects), static_cast<long long>(f.widgets));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    const QTemporaryDir home;
    for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(variable, home.path().toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(listen);
    QDir::setCurrent(home.path()); // file dialogs start here
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    StayClock app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Monkey"));
    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption secondsOption(QStringLiteral("seconds"), QStringLiteral("How long to play."), QStringLiteral("N"),
                                           QStringLiteral("20"));
    const QCommandLineOption seedOption(QStringLiteral("seed"), QStringLiteral("What to do."), QStringLiteral("N"),
                                        QStringLiteral("1"));
    const QCommandLineOption strictOption(QStringLiteral("strict"), QStringLiteral("A warning of Qt's is a failure."));
    const QCommandLineOption stepsOption(QStringLiteral("steps"),
                                         QStringLiteral("How many steps to play, however long they take."), QStringLiteral("N"));
    const QCommandLineOption patienceOption(QStringLiteral("patience"),
                                            QStringLiteral("How many seconds without an answer are a hang."), QStringLiteral("N"),
                                            QStringLiteral("60"));
    parser.addOptions({secondsOption, stepsOption, patienceOption, seedOption, strictOption});
    parser.process(app);
    strict = parser.isSet(strictOption);
    const double seconds = parser.value(secondsOption).toDouble();
    const std::size_t steps = parser.value(stepsOption).toUInt();
    const int patience = parser.value(patienceOption).toInt();
    const std::uint64_t seed = parser.value(seedOption).toULongLong();

    Swallow swallow;
    QDesktopServices::setUrlHandler(QStringLiteral("file"), &swallow, "open");
    auto &recorder = FlightRecorder::instance();
    const QString length = steps > 0 ? QStringLiteral("--steps %1").arg(steps) : QStringLiteral("--seconds %1").arg(seconds);
    recorder.start(QStringLiteral("monkey %1 --seed %2").arg(length).arg(seed), std::chrono::seconds(patience));
    Stay longest;
    app.onStay = [&longest](const Stay &stay) {
        if (stay.cpuMilliseconds > longest.cpuMilliseconds)
            longest = stay;
    };

    bool passed = true;
    const auto require = [&passed](bool holds, const QString &what) {
        if (!holds)
            std::fprintf(stderr, "FAIL: %s\n", qUtf8Printable(what));
        passed = passed && holds;
    };
    {
        Theme theme;
        MainWindow window(theme);
        window.show();
        window.activateWindow();
        window.session().openSample();
        Monkey monkey(app, window, seed, patience, home.path());
        const auto play = [&](double part) {
            const QString restless = monkey.play(seconds * part, static_cast<std::size_t>(static_cast<double>(steps) * part));
            require(restless.isEmpty(), QStringLiteral("%1 s were not enough for %2").arg(patience).arg(restless));
        };
        play(0.25); // caches fill and threads start first
        const Footprint before = footprintOf(window);
        print("After the warm-up", before);
        play(0.75);
        // Panels keep their last answers, whose sizes differ; a leak would grow with each of a thousand steps.
        constexpr double maxGrowthMebibytes = 40;
        Footprint after = footprintOf(window);
        const auto hasGrown = [&] { return after.usedMebibytes - before.usedMebibytes > maxGrowthMebibytes; };
        // What a step began and a later one cancelled may take long to end on a busy machine; a leak stays.
        for (int n = 0; hasGrown() && n < 2 * patience; ++n) {
            FlightRecorder::instance().alive();
            QTest::qWait(500);
            after = footprintOf(window);
        }
        print("At the end", after);
        for (const auto &[name, count] : after.classes)
            if (const auto known = before.classes.find(name); known == before.classes.end() || known->second < count)
                std::printf("  %+d %s\n", count - (known == before.classes.end() ? 0 : known->second), name.c_str());
        std::printf("%zu steps, seed %llu; longest stay on the GUI thread %.0f ms CPU: %s\n", monkey.steps(),
                    static_cast<unsigned long long>(seed), longest.cpuMilliseconds, qUtf8Printable(longest.what));
        require(failure.isEmpty(), QStringLiteral("Qt warned: %1").arg(failure));
        require(!hasGrown(), QStringLiteral("memory in use grew by more than %1 MiB").arg(maxGrowthMebibytes));
        require(after.objects - before.objects <= 200, QStringLiteral("more than 200 objects were left in the window"));
        require(after.widgets - before.widgets <= 100, QStringLiteral("more than 100 widgets were left"));
    }
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    recorder.stop();
    if (!passed)
        recorder.print();
    app.onStay = nullptr;
    return passed ? 0 : 1;
}

#include "monkey.moc"
