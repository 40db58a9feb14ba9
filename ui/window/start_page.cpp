// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_page.h"

#include "engine/job/catalogue.h"
#include "ui/project/project_keeper.h"
#include "ui/project/recent_files.h"
#include "ui/theme/glyph.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/window/live_picture.h"

#include <QCommandLinkButton>
#include <QDateTime>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace syncopate::ui {

StartPage::StartPage(const Theme &theme, QWidget *parent) : QWidget(parent) {
    auto *outer = new QVBoxLayout(this);
    auto *column = new QWidget;
    column->setFixedWidth(640);
    auto *layout = new QVBoxLayout(column);
    layout->setSpacing(8);

    auto *title = plainLabel(tr("Syncopate"));
    QFont large = title->font();
    large.setPixelSize(26);
    large.setBold(true);
    title->setFont(large);
    auto *subtitle = plainLabel(tr("See how every way of synchronising a model's variables would play out, side by side."));
    subtitle->setWordWrap(true);
    layout->addWidget(title);
    layout->addWidget(subtitle);
    m_live = new LivePicture(theme);
    layout->addWidget(m_live);
    layout->addSpacing(8);

    layout->addLayout(makeButtons(theme));
    auto *drop = plainLabel(tr("…or drop a profile, job or cluster file anywhere in this window."));
    layout->addWidget(drop);
    layout->addSpacing(8);
    m_files = new QVBoxLayout;
    m_files->setSpacing(2);
    layout->addLayout(m_files);
    layout->addSpacing(8);

    layout->addWidget(headingLabel(tr("Jobs of the catalogue")));
    layout->addWidget(makeCatalogue(), 1);

    outer->addStretch(1);
    outer->addWidget(column, 8, Qt::AlignHCenter);
    outer->addStretch(1);

    const auto restyle = [this, &theme, subtitle, drop] {
        QPalette dim = palette();
        dim.setColor(QPalette::WindowText, theme.color(ColorId::DimText));
        subtitle->setPalette(dim);
        drop->setPalette(dim);
        for (QLabel *label : findChildren<QLabel *>(QStringLiteral("dim")))
            label->setPalette(dim);
    };
    restyle();
    connect(&theme, &Theme::themeChanged, this, restyle);
}

QHBoxLayout *StartPage::makeButtons(const Theme &theme) {
    auto *sample = new QPushButton(tr("Open sample"));
    sample->setDefault(true);
    sample->setToolTip(tr("ResNet-50 on eight CPU nodes: all-reduce beside a parameter server (Ctrl+Shift+O)"));
    auto *open = new QPushButton(tr("Open profile…"));
    open->setToolTip(tr("A PyTorch profile (.json, .json.gz), a job file, or a cluster (.yml) (Ctrl+O)"));
    auto *tutorial = new QPushButton(tr("Tutorial"));
    tutorial->setToolTip(tr("Overlap in two minutes, on the sample"));
    sample->setIcon(glyph(theme, QStringLiteral("sample")));
    open->setIcon(glyph(theme, QStringLiteral("open")));
    tutorial->setIcon(glyph(theme, QStringLiteral("tutorial")));
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleWanted);
    connect(open, &QPushButton::clicked, this, &StartPage::openWanted);
    connect(tutorial, &QPushButton::clicked, this, &StartPage::tutorialWanted);
    for (QPushButton *button : {sample, open, tutorial}) {
        button->setMinimumSize(150, 32);
        button->setAutoDefault(true); // Return activates it, as in a dialog
    }
    auto *row = new QHBoxLayout;
    row->addWidget(sample);
    row->addWidget(open);
    row->addWidget(tutorial);
    row->addStretch();
    return row;
}

QWidget *StartPage::makeCatalogue() {
    constexpr int textWidth = 480; // beside a button and a scroll bar
    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setColumnStretch(1, 1);
    int line = 0;
    for (const CatalogueJob &job : catalogueJobs()) {
        auto *button = new QPushButton(QString::fromStdString(job.title));
        button->setMinimumWidth(110);
        button->setAutoDefault(true);
        button->setToolTip(plainTip(tr("Open %1 of the catalogue").arg(button->text())));
        auto *text = plainLabel(said(job.description));
        text->setWordWrap(true);
        // With an alignment, the column's layout ignores height for width.
        text->setFixedWidth(textWidth);
        text->setMinimumHeight(text->heightForWidth(textWidth));
        text->setObjectName(QStringLiteral("dim"));
        grid->addWidget(button, line, 0, Qt::AlignTop);
        grid->addWidget(text, line++, 1);
        connect(button, &QPushButton::clicked, this, [this, name = job.name] { Q_EMIT jobWanted(QString::fromStdString(name)); });
    }
    // There are more jobs than a small window has room for.
    auto *list = new QWidget;
    list->setLayout(grid);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // focus belongs to its buttons
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(list);
    scroll->setMinimumHeight(120);
    return scroll;
}

void StartPage::addFile(const QString &text, const QString &path) {
    auto *button = new QToolButton;
    button->setText(plainAction(text));
    button->setToolTip(plainTip(path));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    m_files->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, path] { Q_EMIT fileWanted(path); });
}

void StartPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    showLivePictureIfItFits();
}

int StartPage::livePictureHeight() const {
    return m_live->minimumSizeHint().height() + m_files->parentWidget()->layout()->spacing();
}

// Without the live picture: the ways to begin need all the room in low windows.
QSize StartPage::minimumSizeHint() const {
    QSize all = layout()->minimumSize();
    if (!m_live->isHidden())
        all.rheight() -= livePictureHeight();
    return all;
}

void StartPage::showLivePictureIfItFits() { m_live->setVisible(height() >= minimumSizeHint().height() + livePictureHeight()); }

bool StartPage::event(QEvent *event) {
    const bool answer = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) // files were added: they are laid out later than that
        showLivePictureIfItFits();
    return answer;
}

void StartPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    while (QLayoutItem *item = m_files->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (const QString last = ProjectKeeper::lastSession(); !last.isEmpty())
        addFile(tr("Continue where you were, %1").arg(QLocale().toString(QFileInfo(last).lastModified(), QLocale::ShortFormat)),
                last);
    constexpr int shown = 4;
    const QStringList recent = RecentFiles::list().mid(0, shown);
    if (!recent.isEmpty())
        m_files->addWidget(headingLabel(tr("Recent files")));
    for (const QString &path : recent)
        addFile(RecentFiles::titleOf(path), path);
}

} // namespace syncopate::ui
