import { describe, expect, test } from '@jest/globals';
import { problemKindOf } from './problem-kind.ts';
import { saidComplaint, stockAlert } from './stock-alerts.ts';

/** Alerts in the rules of kube-prometheus (manifests/*-prometheusRule.yaml). */
const KUBE_PROMETHEUS =
  'AlertmanagerClusterCrashlooping AlertmanagerClusterDown AlertmanagerClusterFailedPeers AlertmanagerClusterFailedToSendAlerts AlertmanagerConfigInconsistent AlertmanagerFailedReload AlertmanagerFailedToSendAlerts AlertmanagerMembersInconsistent CPUThrottlingHigh ConfigReloaderSidecarErrors GrafanaRequestsFailing InfoInhibitor KubeAPIDown KubeAPIErrorBudgetBurn KubeAPIInstanceUnreachable KubeAPITerminatedRequests KubeAggregatedAPIDown KubeAggregatedAPIErrors KubeCPUOvercommit KubeCPUQuotaOvercommit KubeClientCertificateExpiration KubeClientErrors KubeContainerWaiting KubeControllerManagerDown KubeControllerManagerInstanceUnreachable KubeDaemonSetMisScheduled KubeDaemonSetNotScheduled KubeDaemonSetRolloutStuck KubeDeploymentGenerationMismatch KubeDeploymentReplicasMismatch KubeDeploymentRolloutStuck KubeHpaMaxedOut KubeHpaReplicasMismatch KubeJobFailed KubeJobNotCompleted KubeMemoryOvercommit KubeMemoryQuotaOvercommit KubeNodeEviction KubeNodeNotReady KubeNodePressure KubeNodeReadinessFlapping KubeNodeUnreachable KubePdbNotEnoughHealthyPods KubePersistentVolumeErrors KubePersistentVolumeFillingUp KubePersistentVolumeInodesFillingUp KubePodCrashLooping KubePodNotReady KubeQuotaAlmostFull KubeQuotaExceeded KubeQuotaFullyUsed KubeSchedulerDown KubeSchedulerInstanceUnreachable KubeStateMetricsListErrors KubeStateMetricsShardingMismatch KubeStateMetricsShardsMissing KubeStateMetricsWatchErrors KubeStatefulSetGenerationMismatch KubeStatefulSetReplicasMismatch KubeStatefulSetUpdateNotRolledOut KubeVersionMismatch KubeletClientCertificateExpiration KubeletClientCertificateRenewalErrors KubeletDown KubeletInstanceUnreachable KubeletPlegDurationHigh KubeletPodStartUpLatencyHigh KubeletServerCertificateExpiration KubeletServerCertificateRenewalErrors KubeletTooManyPods NodeBondingDegraded NodeCPUHighUsage NodeClockNotSynchronising NodeClockSkewDetected NodeDiskIOSaturation NodeFileDescriptorLimit NodeFilesystemAlmostOutOfFiles NodeFilesystemAlmostOutOfSpace NodeFilesystemFilesFillingUp NodeFilesystemSpaceFillingUp NodeHighNumberConntrackEntriesUsed NodeMemoryHighUtilization NodeMemoryMajorPagesFaults NodeNetworkInterfaceFlapping NodeNetworkReceiveErrs NodeNetworkTransmitErrs NodeRAIDDegraded NodeRAIDDiskFailure NodeSystemSaturation NodeSystemdServiceCrashlooping NodeSystemdServiceFailed NodeTextFileCollectorScrapeError PrometheusBadConfig PrometheusDuplicateTimestamps PrometheusErrorSendingAlertsToAnyAlertmanager PrometheusErrorSendingAlertsToSomeAlertmanagers PrometheusHighQueryLoad PrometheusKubernetesListWatchFailures PrometheusLabelLimitHit PrometheusMissingRuleEvaluations PrometheusNotConnectedToAlertmanagers PrometheusNotIngestingSamples PrometheusNotificationQueueRunningFull PrometheusOperatorListErrors PrometheusOperatorNodeLookupErrors PrometheusOperatorNotReady PrometheusOperatorReconcileErrors PrometheusOperatorRejectedResources PrometheusOperatorStatusUpdateErrors PrometheusOperatorSyncFailed PrometheusOperatorWatchErrors PrometheusOutOfOrderTimestamps PrometheusRemoteStorageFailures PrometheusRemoteWriteBehind PrometheusRemoteWriteDesiredShards PrometheusRuleFailures PrometheusSDRefreshFailure PrometheusScrapeBodySizeLimitHit PrometheusScrapeSampleLimitHit PrometheusTSDBCompactionsFailing PrometheusTSDBReloadsFailing PrometheusTargetLimitHit PrometheusTargetSyncFailure TargetDown Watchdog'.split(
    ' ',
  );

test.each(KUBE_PROMETHEUS)('%s is known', (name) => {
  expect(stockAlert(name)).toBeDefined();
});

describe('the complaint', () => {
  const named = (name: string, ...tags: string[]) => ({ title: 'Something', tags: [`alertname:${name}`, ...tags] });
  test.each([
    ['a node that is not ready', named('KubeNodeNotReady'), 'down', 'host_down'],
    ['a volume that fills up', named('KubePersistentVolumeFillingUp'), 'down', 'disk_full'],
    ['a pod that is not ready', named('KubePodNotReady'), 'errors', null],
    ['what the tenant says of a rule of its own', named('Ours', 'complaint:database_down'), 'down', 'database_down'],
    ['what the tenant says otherwise', named('KubeNodeNotReady', 'complaint:traffic'), 'traffic', null],
    ['a trigger of Zabbix', { title: 'Zabbix agent is not available (for 3m)' }, 'down', 'host_down'],
    ['a complaint that nobody knows', named('Ours', 'complaint:bad'), 'unknown', null],
    ['a change, whatever it is called', named('KubeNodeNotReady', 'type:deployment'), 'unknown', 'change'],
  ] as const)('of %s', (_, event, kind, known) => {
    expect(problemKindOf(event)).toEqual({ kind, known });
  });

  test('an alert that says nothing of service is judged by its words', () => {
    expect(saidComplaint(named('Watchdog'))).toBe('unknown');
    expect(problemKindOf({ title: 'Latency is high', tags: ['alertname:Watchdog'] }).kind).toBe('latency');
  });
});
