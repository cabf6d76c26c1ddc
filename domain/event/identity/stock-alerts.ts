/** Alerts that ship with public mixins and templates: their complaint, and the object and label that name their subject. */
import { type AlertKind, alertKindOf, COMPLAINTS, type StockComplaint } from './alert-kinds.ts';

export interface StockAlert {
  readonly complaint: StockComplaint;
  /** Kind of the object; empty: the alert names none. */
  readonly object: string;
  /** Label that names the object. */
  readonly label: string;
}

/** Names by complaint, each in one text. */
type StockNames = Readonly<Partial<Record<StockComplaint, string>>>;

/**
 * Alerts by object, with its label where it differs, and complaint. `down` and the patterns stop the object, `errors` and `latency` may have a cause elsewhere, `unknown`
 * is no statement about service. Names with blanks are titles (Zabbix, Nagios).
 */
const ROWS: Readonly<Record<string, StockNames>> = {
  node: {
    host_down: 'KubeNodeNotReady KubeNodeUnreachable',
    down: 'KubeletInstanceUnreachable',
    errors: 'KubeNodeReadinessFlapping KubeNodeEviction',
    unknown:
      'KubeNodePressure KubeletTooManyPods KubeletClientCertificateExpiration KubeletClientCertificateRenewalErrors KubeletServerCertificateExpiration KubeletServerCertificateRenewalErrors',
    latency: 'KubeletPlegDurationHigh KubeletPodStartUpLatencyHigh',
  },
  '': {
    down: 'KubeletDown KubeAPIDown KubeControllerManagerDown KubeSchedulerDown KubeProxyDown KubeAggregatedAPIDown KubeAPIInstanceUnreachable KubeControllerManagerInstanceUnreachable KubeSchedulerInstanceUnreachable KubeProxyInstanceUnreachable',
    errors:
      'KubeAPIErrorBudgetBurn KubeAPITerminatedRequests KubeAggregatedAPIErrors KubeClientErrors KubeStateMetricsListErrors KubeStateMetricsWatchErrors',
    unknown:
      'KubeVersionMismatch KubeClientCertificateExpiration KubeCPUOvercommit KubeMemoryOvercommit KubeStateMetricsShardingMismatch KubeStateMetricsShardsMissing Watchdog InfoInhibitor',
  },
  'node instance': {
    disk_full: 'NodeFilesystemAlmostOutOfSpace NodeFilesystemAlmostOutOfFiles HostOutOfDiskSpace HostOutOfInodes',
    unknown:
      'NodeFilesystemSpaceFillingUp NodeFilesystemFilesFillingUp NodeClockNotSynchronising NodeClockSkewDetected NodeTextFileCollectorScrapeError NodeRAIDDegraded NodeRAIDDiskFailure NodeBondingDegraded NodeFileDescriptorLimit NodeHighNumberConntrackEntriesUsed HostRaidArrayGotInactive HostRaidDiskFailure HostClockSkew HostRequiresReboot',
    latency:
      'NodeCPUHighUsage NodeSystemSaturation NodeDiskIOSaturation NodeMemoryHighUtilization NodeMemoryMajorPagesFaults HostHighCpuLoad HostOutOfMemory HostSwapIsFillingUp HostUnusualDiskReadLatency HostUnusualDiskWriteLatency',
    errors:
      'NodeNetworkReceiveErrs NodeNetworkTransmitErrs NodeSystemdServiceFailed NodeSystemdServiceCrashlooping HostSystemdServiceCrashed HostNetworkReceiveErrors HostNetworkTransmitErrors',
    link_down: 'NodeNetworkInterfaceFlapping',
    out_of_memory: 'HostOomKillDetected',
  },
  namespace: {
    unknown:
      'KubeCPUQuotaOvercommit KubeMemoryQuotaOvercommit KubeQuotaAlmostFull KubeQuotaFullyUsed KubeQuotaExceeded',
  },
  service: {
    dns: 'CoreDNSDown',
    errors: 'CoreDNSErrorsHigh CoreDNSForwardErrorsHigh CoreDNSForwardHealthcheckFailureCount',
    latency: 'CoreDNSLatencyHigh CoreDNSForwardLatencyHigh CoreDNSForwardHealthcheckBrokenCount',
    unknown: 'ConfigReloaderSidecarErrors',
  },
  pod: {
    errors:
      'KubePodNotReady PrometheusErrorSendingAlertsToAnyAlertmanager PrometheusErrorSendingAlertsToSomeAlertmanagers PrometheusRuleFailures PrometheusSDRefreshFailure PrometheusKubernetesListWatchFailures PrometheusTSDBCompactionsFailing PrometheusTSDBReloadsFailing PrometheusRemoteStorageFailures PrometheusTargetSyncFailure PrometheusMissingRuleEvaluations PrometheusNotConnectedToAlertmanagers PrometheusNotIngestingSamples AlertmanagerFailedToSendAlerts AlertmanagerClusterFailedToSendAlerts AlertmanagerFailedReload AlertmanagerMembersInconsistent AlertmanagerClusterFailedPeers GrafanaRequestsFailing PrometheusOperatorListErrors PrometheusOperatorWatchErrors PrometheusOperatorSyncFailed PrometheusOperatorReconcileErrors PrometheusOperatorStatusUpdateErrors PrometheusOperatorNodeLookupErrors etcdHighNumberOfFailedGRPCRequests etcdHighNumberOfFailedProposals etcdHighNumberOfLeaderChanges',
    down: 'KubePodCrashLooping KubernetesPodCrashLooping KubeContainerWaiting AlertmanagerClusterDown AlertmanagerClusterCrashlooping PrometheusOperatorNotReady etcdMembersDown etcdInsufficientMembers etcdNoLeader',
    out_of_memory: 'KubernetesContainerOomKiller ContainerOOMKilled KubePodOOMKilled',
    latency:
      'CPUThrottlingHigh ContainerHighThrottleRate PrometheusRemoteWriteBehind PrometheusRemoteWriteDesiredShards PrometheusHighQueryLoad PrometheusNotificationQueueRunningFull etcdHighCommitDurations etcdHighFsyncDurations etcdMemberCommunicationSlow etcdGRPCRequestsSlow etcdExcessiveDatabaseGrowth',
    unknown:
      'PrometheusBadConfig PrometheusDuplicateTimestamps PrometheusOutOfOrderTimestamps PrometheusLabelLimitHit PrometheusTargetLimitHit PrometheusScrapeBodySizeLimitHit PrometheusScrapeSampleLimitHit AlertmanagerConfigInconsistent PrometheusOperatorRejectedResources',
    disk_full: 'etcdDatabaseQuotaLowSpace',
  },
  deployment: {
    errors: 'KubeDeploymentReplicasMismatch KubeDeploymentRolloutStuck KubernetesDeploymentReplicasMismatch',
    unknown: 'KubeDeploymentGenerationMismatch',
  },
  statefulset: {
    errors:
      'KubeStatefulSetReplicasMismatch KubeStatefulSetUpdateNotRolledOut KubernetesStatefulsetDown KubernetesStatefulsetReplicasMismatch',
    unknown: 'KubeStatefulSetGenerationMismatch',
  },
  daemonset: {
    errors: 'KubeDaemonSetRolloutStuck KubeDaemonSetNotScheduled',
    unknown: 'KubeDaemonSetMisScheduled',
  },
  'job job_name': {
    errors: 'KubeJobFailed KubeJobNotCompleted',
  },
  'deployment horizontalpodautoscaler': {
    traffic: 'KubeHpaMaxedOut KubeHpaReplicasMismatch',
  },
  'pdb poddisruptionbudget': {
    errors: 'KubePdbNotEnoughHealthyPods',
  },
  'volume persistentvolumeclaim': {
    disk_full: 'KubePersistentVolumeFillingUp KubePersistentVolumeInodesFillingUp KubernetesVolumeOutOfDiskSpace',
  },
  'volume persistentvolume': {
    down: 'KubePersistentVolumeErrors KubernetesPersistentvolumeError',
  },
  'service job': {
    down: 'TargetDown PrometheusTargetMissing PrometheusAllTargetsMissing',
  },
  instance: {
    database_down:
      'PostgresqlDown PostgreSQLDown MysqlDown MySQLDown RedisDown MongodbDown ElasticsearchClusterRed CassandraNodeIsUnavailable',
    errors:
      'PostgreSQLMaxConnectionsReached PostgreSQLReplicationLag PostgresqlTooManyConnections PostgresqlReplicationLag PostgresqlDeadLocks MysqlTooManyConnections MysqlSlaveIoThreadNotRunning MysqlSlaveSqlThreadNotRunning RedisMissingMaster RedisRejectedConnections RabbitmqNodeDown',
    latency:
      'PostgreSQLSlowQueries PostgresqlSlowQueries MysqlSlowQueries RedisTooManyConnections ElasticsearchHeapUsageTooHigh BlackboxSlowProbe BlackboxProbeSlowHttp BlackboxProbeSlowPing',
    out_of_memory: 'RedisOutOfConfiguredMaxmemory RedisOutOfSystemMemory',
    down: 'BlackboxProbeFailed BlackboxProbeHttpFailure ProbeFailed InstanceDown KafkaBrokerDown ZookeeperDown NginxDown HaproxyDown',
    unknown: 'BlackboxSslCertificateWillExpireSoon BlackboxSslCertificateExpired',
  },
};
/** Triggers of Zabbix and checks of Nagios that the words of their title misjudge. */
const TITLES: StockNames = {
  host_down:
    'unavailable by icmp ping; zabbix agent is not available; no snmp data collection; host check failed; check_ping',
  latency: 'high icmp ping response time; high cpu utilization; load average is too high; high memory utilization',
  errors: 'high icmp ping loss; high error rate',
  unknown:
    'has been restarted; operating system description has changed; system name has changed; number of installed packages has been changed; /etc/passwd has been changed; system time is out of sync',
};

const named = (names: StockNames, between: string, object: string, label: string): [string, StockAlert][] =>
  COMPLAINTS.flatMap((complaint) =>
    (names[complaint]?.split(between) ?? []).map((name): [string, StockAlert] => [name, { object, label, complaint }]),
  );

const ALERTS: ReadonlyMap<string, StockAlert> = new Map([
  ...Object.entries(ROWS).flatMap(([subject, names]) => {
    const [object = '', label = object] = subject.split(' ');
    return named(names, ' ', object, label);
  }),
  ...named(TITLES, '; ', '', ''),
]);

/** Finds a stock alert by name; undefined: not in the catalogue. */
export const stockAlert = (name: string | undefined): StockAlert | undefined =>
  name === undefined ? undefined : ALERTS.get(name);

const ALERT_NAME = 'alertname:';
/** Tag that overrides the catalogue for one alert. */
const COMPLAINT_TAG = 'complaint:';
const END_OF_TITLE = /[:(]/;

/** Complaints that leave the object running. */
const HARMLESS: ReadonlySet<StockComplaint> = new Set(['errors', 'latency', 'traffic', 'unknown']);
export const isStopping = (complaint: StockComplaint): boolean => !HARMLESS.has(complaint);
const isComplaint = (text: string): text is StockComplaint => COMPLAINTS.some((one) => one === text);

interface TaggedTitle {
  readonly title: string;
  readonly tags?: readonly string[];
}

/**
 * Finds the complaint by the alert name in the tags, else by the title up to its first bracket. A complaint tag has priority. Undefined:
 * not in the catalogue.
 */
export function saidComplaint({ title, tags = [] }: TaggedTitle): StockComplaint | undefined {
  for (const tag of tags) {
    if (!tag.startsWith(COMPLAINT_TAG)) continue;
    const said = tag.slice(COMPLAINT_TAG.length);
    if (isComplaint(said)) return said;
  }
  return ALERTS.get(namedAlert(tags) ?? plainTitle(title).toLowerCase())?.complaint;
}

const namedAlert = (tags: readonly string[]): string | undefined =>
  tags.find((tag) => tag.startsWith(ALERT_NAME))?.slice(ALERT_NAME.length);
const plainTitle = (title: string): string => (title.split(END_OF_TITLE, 1)[0] ?? title).trim();

/** Adds the complaint that the tenant has set for the alert, unless a tag names one. Titles are names, too. */
export function withComplaint<T extends TaggedTitle>(alert: T, kinds: readonly AlertKind[]): T {
  const { title, tags = [] } = alert;
  if (kinds.length === 0 || tags.some((tag) => tag.startsWith(COMPLAINT_TAG))) return alert;
  const kind = alertKindOf(kinds, namedAlert(tags) ?? plainTitle(title));
  return kind === undefined ? alert : { ...alert, tags: [COMPLAINT_TAG + kind.problem, ...tags] };
}

/** True for a stock alert whose object no longer works. */
export const isStockDown = (titled: TaggedTitle): boolean => saidComplaint(titled) === 'down';
