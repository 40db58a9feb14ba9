// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/calibrate_files.h"
#include "ui/session/session.h"

#include <QFileInfo>
#include <utility>

namespace syncopate::ui {

void Session::calibrate(const QStringList &files) {
    std::vector<std::string> paths;
    QStringList names;
    for (const QString &file : files) {
        paths.push_back(file.toStdString());
        names += QFileInfo(file).fileName();
    }
    const auto calibrated = [paths, cluster = m_state.cluster, knobs = static_cast<const ClusterKnobs &>(m_state),
                             profile = m_state.profile](const std::stop_token &stop) -> Result<Calibrated> {
        if (!cluster)
            return fail("there is no cluster to calibrate", "open a profile or a job first");
        auto read = TRY(readCalibrationFiles(paths, stop));
        if (read.profiles.size() == 1 && profile)
            read.profiles.push_back(profile);
        const ProfilePair pair = TRY(profilePair(read.profiles));
        const std::vector<Error> notRead = read.notRead;
        auto calibration = TRY(calibrateCluster(withKnobs(*cluster, knobs), std::move(read), pair));
        QStringList figures;
        for (const CalibratedFigure &figure : calibration.figures)
            figures += tr("%1 %2 → %3 (median error %4 %)")
                           .arg(QString::fromStdString(figure.key))
                           .arg(figure.before, 0, 'g', 4)
                           .arg(figure.after, 0, 'g', 4)
                           .arg(100 * figure.error.median, 0, 'f', 1);
        for (const Error &error : notRead)
            figures += tr("Not read: %1").arg(QString::fromStdString(error.toString()));
        return Calibrated{std::make_shared<const Cluster>(std::move(calibration.cluster)), cluster, knobs,
                          figures.join(QStringLiteral("; "))};
    };
    startLoading(names.join(QStringLiteral(", ")),
                 [calibrated](const std::stop_token &stop, Progress *) -> Content { return calibrated(stop); });
}

void Session::take(const QString &names, const Calibrated &calibrated) {
    if (m_state.cluster != calibrated.from || static_cast<const ClusterKnobs &>(m_state) != calibrated.knobs) {
        Q_EMIT remarked(tr("Not calibrated: the cluster was changed while %1 was read. Calibrate again.").arg(names));
        return;
    }
    SessionState next = m_state;
    next.cluster = calibrated.cluster;
    next.clusterEdited = true;
    static_cast<ClusterKnobs &>(next) = {};
    change(std::move(next), tr("Calibrate with %1").arg(names));
    Q_EMIT remarked(tr("Calibrated with %1: %2").arg(names, calibrated.remark));
}

} // namespace syncopate::ui
