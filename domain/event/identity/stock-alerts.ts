/** Alerts that ship with public mixins and templates: their complaint, and the object and label that name their subject. */
import { type AlertKind, alertKindOf, COMPLAINTS, type StockComplaint } from './alert-kinds.ts';

export interface StockAlert {
  readonly complaint: StockComplaint;
  /** Kind of the object; empty: the alert names none. */
  readonly object: string;
  /** Label that names the object. */
  readonly label: string;
}

type StockRow = readonly [object: string, label: string, complaint: StockComplaint, names: string];

/**
 * Alerts by object and complaint. `down` and the patterns stop the object, `errors` and `latency` may have a cause elsewhere, `unknown`
 * is no statement about service. Names with blanks are titles (Zabbix, Nagios).
 */
const ROWS: readonly StockRow[] = [
  ['node', 'node', 'host_down', 'KubeNodeNotReady KubeNodeUnreachable'],
  ['node', 'node', 'down', 'KubeletInstanceUnreachable'],
  ['', '', 'down', 'KubeletDown'],
  ['node', 'node', 'errors', 'KubeNodeReadinessFlapping KubeNodeEviction'],
  [
    'node',
    'node',
    'unknown',
    'KubeNodePressure KubeletTooManyPods KubeletClientCertificateExpiration KubeletClientCertificateRenewalErrors KubeletServerCertificateExpiration KubeletServerCertificateRenewalErrors',
  ],
  ['node', 'node', 'latency', 'KubeletPlegDurationHigh KubeletPodStartUpLatencyHigh'],
  [
    'node',
    'instance',
    'disk_full',
    'NodeFilesystemAlmostOutOfSpace NodeFilesystemAlmostOutOfFiles HostOutOfDiskSpace HostOutOfInodes',
  ],
  [
    'node',
    'instance',
    'unknown',
    'NodeFilesystemSpaceFillingUp NodeFilesystemFilesFillingUp NodeClockNotSynchronising NodeClockSkewDetected NodeTextFileCollectorScrapeError NodeRAIDDegraded NodeRAIDDiskFailure NodeBondingDegraded NodeFileDescriptorLimit NodeHighNumberConntrackEntriesUsed HostRaidArrayGotInactive HostRaidDiskFailure HostClockSkew HostRequiresReboot',
  ],
  [
    'node',
    'instance',
    'latency',
    'NodeCPUHighUsage NodeSystemSaturation NodeDiskIOSaturation NodeMemoryHighUtilization NodeMemoryMajorPagesFaults HostHighCpuLoad HostOutOfMemory HostSwapIsFillingUp HostUnusualDiskReadLatency HostUnusualDiskWriteLatency',
  ],
  [
    'node',
    'instance',
    'errors',
    'NodeNetworkReceiveErrs NodeNetworkTransmitErrs NodeSystemdServiceFailed NodeSystemdServiceCrashlooping HostSystemdServiceCrashed HostNetworkReceiveErrors HostNetworkTransmitErrors',
  ],
  ['node', 'instance', 'link_down', 'NodeNetworkInterfaceFlapping'],
  ['node', 'instance', 'out_of_memory', 'HostOomKillDetected'],
  [
    '',
    '',
    'down',
    'KubeAPIDown KubeControllerManagerDown KubeSchedulerDown KubeProxyDown KubeAggregatedAPIDown KubeAPIInstanceUnreachable KubeControllerManagerInstanceUnreachable KubeSchedulerInstanceUnreachable KubeProxyInstanceUnreachable',
  ],
  [
    '',
    '',
    'errors',
    'KubeAPIErrorBudgetBurn KubeAPITerminatedRequests KubeAggregatedAPIErrors KubeClientErrors KubeStateMetricsListErrors KubeStateMetricsWatchErrors',
  ],
  [
    '',
    '',
    'unknown',
    'KubeVersionMismatch KubeClientCertificateExpiration KubeCPUOvercommit KubeMemoryOvercommit KubeStateMetricsShardingMismatch KubeStateMetricsShardsMissing Watchdog InfoInhibitor',
  ],
  [
    'namespace',
    'namespace',
    'unknown',
    'KubeCPUQuotaOvercommit KubeMemoryQuotaOvercommit KubeQuotaAlmostFull KubeQuotaFullyUsed KubeQuotaExceeded',
  ],
  ['service', 'service', 'dns', 'CoreDNSDown'],
  ['service', 'service', 'errors', 'CoreDNSErrorsHigh CoreDNSForwardErrorsHigh CoreDNSForwardHealthcheckFailureCount'],
  [
    'service',
    'service',
    'latency',
    'CoreDNSLatencyHigh CoreDNSForwardLatencyHigh CoreDNSForwardHealthcheckBrokenCount',
  ],
  ['pod', 'pod', 'errors', 'KubePodNotReady'],
  ['pod', 'pod', 'down', 'KubePodCrashLooping KubernetesPodCrashLooping KubeContainerWaiting'],
  ['pod', 'pod', 'out_of_memory', 'KubernetesContainerOomKiller ContainerOOMKilled KubePodOOMKilled'],
  ['pod', 'pod', 'latency', 'CPUThrottlingHigh ContainerHighThrottleRate'],
  [
    'deployment',
    'deployment',
    'errors',
    'KubeDeploymentReplicasMismatch KubeDeploymentRolloutStuck KubernetesDeploymentReplicasMismatch',
  ],
  ['deployment', 'deployment', 'unknown', 'KubeDeploymentGenerationMismatch'],
  [
    'statefulset',
    'statefulset',
    'errors',
    'KubeStatefulSetReplicasMismatch KubeStatefulSetUpdateNotRolledOut KubernetesStatefulsetDown KubernetesStatefulsetReplicasMismatch',
  ],
  ['statefulset', 'statefulset', 'unknown', 'KubeStatefulSetGenerationMismatch'],
  ['daemonset', 'daemonset', 'errors', 'KubeDaemonSetRolloutStuck KubeDaemonSetNotScheduled'],
  ['daemonset', 'daemonset', 'unknown', 'KubeDaemonSetMisScheduled'],
  ['job', 'job_name', 'errors', 'KubeJobFailed KubeJobNotCompleted'],
  ['deployment', 'horizontalpodautoscaler', 'traffic', 'KubeHpaMaxedOut KubeHpaReplicasMismatch'],
  ['pdb', 'poddisruptionbudget', 'errors', 'KubePdbNotEnoughHealthyPods'],
  [
    'volume',
    'persistentvolumeclaim',
    'disk_full',
    'KubePersistentVolumeFillingUp KubePersistentVolumeInodesFillingUp KubernetesVolumeOutOfDiskSpace',
  ],
  ['volume', 'persistentvolume', 'down', 'KubePersistentVolumeErrors KubernetesPersistentvolumeError'],
  ['service', 'job', 'down', 'TargetDown PrometheusTargetMissing PrometheusAllTargetsMissing'],
  ['service', 'service', 'unknown', 'ConfigReloaderSidecarErrors'],
  [
    'pod',
    'pod',
    'errors',
    'PrometheusErrorSendingAlertsToAnyAlertmanager PrometheusErrorSendingAlertsToSomeAlertmanagers PrometheusRuleFailures PrometheusSDRefreshFailure PrometheusKubernetesListWatchFailures PrometheusTSDBCompactionsFailing PrometheusTSDBReloadsFailing PrometheusRemoteStorageFailures PrometheusTargetSyncFailure PrometheusMissingRuleEvaluations PrometheusNotConnectedToAlertmanagers PrometheusNotIngestingSamples AlertmanagerFailedToSendAlerts AlertmanagerClusterFailedToSendAlerts AlertmanagerFailedReload AlertmanagerMembersInconsistent AlertmanagerClusterFailedPeers GrafanaRequestsFailing PrometheusOperatorListErrors PrometheusOperatorWatchErrors PrometheusOperatorSyncFailed PrometheusOperatorReconcileErrors PrometheusOperatorStatusUpdateErrors PrometheusOperatorNodeLookupErrors',
  ],
  [
    'pod',
    'pod',
    'latency',
    'PrometheusRemoteWriteBehind PrometheusRemoteWriteDesiredShards PrometheusHighQueryLoad PrometheusNotificationQueueRunningFull',
  ],
  [
    'pod',
    'pod',
    'unknown',
    'PrometheusBadConfig PrometheusDuplicateTimestamps PrometheusOutOfOrderTimestamps PrometheusLabelLimitHit PrometheusTargetLimitHit PrometheusScrapeBodySizeLimitHit PrometheusScrapeSampleLimitHit AlertmanagerConfigInconsistent PrometheusOperatorRejectedResources',
  ],
  ['pod', 'pod', 'down', 'AlertmanagerClusterDown AlertmanagerClusterCrashlooping PrometheusOperatorNotReady'],
  ['pod', 'pod', 'down', 'etcdMembersDown etcdInsufficientMembers etcdNoLeader'],
  [
    'pod',
    'pod',
    'latency',
    'etcdHighCommitDurations etcdHighFsyncDurations etcdMemberCommunicationSlow etcdGRPCRequestsSlow etcdExcessiveDatabaseGrowth',
  ],
  [
    'pod',
    'pod',
    'errors',
    'etcdHighNumberOfFailedGRPCRequests etcdHighNumberOfFailedProposals etcdHighNumberOfLeaderChanges',
  ],
  ['pod', 'pod', 'disk_full', 'etcdDatabaseQuotaLowSpace'],
  [
    'instance',
    'instance',
    'database_down',
    'PostgresqlDown PostgreSQLDown MysqlDown MySQLDown RedisDown MongodbDown ElasticsearchClusterRed CassandraNodeIsUnavailable',
  ],
  [
    'instance',
    'instance',
    'errors',
    'PostgreSQLMaxConnectionsReached PostgreSQLReplicationLag PostgresqlTooManyConnections PostgresqlReplicationLag PostgresqlDeadLocks MysqlTooManyConnections MysqlSlaveIoThreadNotRunning MysqlSlaveSqlThreadNotRunning RedisMissingMaster RedisRejectedConnections RabbitmqNodeDown',
  ],
  [
    'instance',
    'instance',
    'latency',
    'PostgreSQLSlowQueries PostgresqlSlowQueries MysqlSlowQueries RedisTooManyConnections ElasticsearchHeapUsageTooHigh',
  ],
  ['instance', 'instance', 'out_of_memory', 'RedisOutOfConfiguredMaxmemory RedisOutOfSystemMemory'],
  [
    'instance',
    'instance',
    'down',
    'BlackboxProbeFailed BlackboxProbeHttpFailure ProbeFailed InstanceDown KafkaBrokerDown ZookeeperDown NginxDown HaproxyDown',
  ],
  ['instance', 'instance', 'latency', 'BlackboxSlowProbe BlackboxProbeSlowHttp BlackboxProbeSlowPing'],
  ['instance', 'instance', 'unknown', 'BlackboxSslCertificateWillExpireSoon BlackboxSslCertificateExpired'],
];
/** Triggers of Zabbix and checks of Nagios that the words of their title misjudge. */
const TITLES: readonly (readonly [StockComplaint, readonly string[]])[] = [
  [
    'host_down',
    [
      'unavailable by icmp ping',
      'zabbix agent is not available',
      'no snmp data collection',
      'host check failed',
      'check_ping',
    ],
  ],
  [
    'latency',
    ['high icmp ping response time', 'high cpu utilization', 'load average is too high', 'high memory utilization'],
  ],
  ['errors', ['high icmp ping loss', 'high error rate']],
  [
    'unknown',
    [
      'has been restarted',
      'operating system description has changed',
      'system name has changed',
      'number of installed packages has been changed',
      '/etc/passwd has been changed',
      'system time is out of sync',
    ],
  ],
];

const ALERTS: ReadonlyMap<string, StockAlert> = new Map([
  ...ROWS.flatMap(([object, label, complaint, names]) =>
    names.split(' ').map((name): [string, StockAlert] => [name, { object, label, complaint }]),
  ),
  ...TITLES.flatMap(([complaint, titles]) =>
    titles.map((title): [string, StockAlert] => [title, { object: '', label: '', complaint }]),
  ),
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
