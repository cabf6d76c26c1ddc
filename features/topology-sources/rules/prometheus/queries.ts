/** Instant queries for the topology (kube-state-metrics, docs/metrics; node_exporter; service graph; Istio). */

/** Range of rates: longer than two scrapes, shorter than most outages. */
const OVER = '10m';

const WORKLOADS = [
  'kube_deployment_spec_replicas',
  'kube_statefulset_replicas',
  'kube_daemonset_status_desired_number_scheduled',
  'kube_cronjob_info',
];

/** Exact rates would differ in each reply. */
const powerOfTen = (query: string): string => `10 ^ round(log10(${query}))`;

/** Queries by name; a missing metric returns an empty result. */
export const QUERIES = {
  nodes: 'kube_node_info',
  workloads: `{__name__=~"${WORKLOADS.join('|')}"}`,
  pods: 'kube_pod_info',
  replicaSets: 'kube_replicaset_owner{owner_kind!="<none>"}',
  jobs: 'kube_job_owner{owner_kind="CronJob"}',
  services: 'kube_service_info',
  endpoints: 'kube_endpoint_address',
  slices: 'kube_endpointslice_endpoints{targetref_kind="Pod"}',
  ingresses: 'kube_ingress_path',
  claims: 'kube_persistentvolumeclaim_info',
  mounts: 'kube_pod_spec_volumes_persistentvolumeclaims_info',
  calls: powerOfTen(
    `sum by (cluster, client, server, connection_type) (rate(traces_service_graph_request_total[${OVER}])) > 0`,
  ),
  mesh: powerOfTen(
    `sum by (cluster, source_workload, source_workload_namespace, destination_workload, destination_workload_namespace) (rate(istio_requests_total{reporter="source"}[${OVER}])) > 0`,
  ),
  hosts: 'node_uname_info',
  targets: 'group by (cluster, instance, job) (up{namespace="", pod=""})',
} as const;
export type SeriesQuery = keyof typeof QUERIES;
export const QUERY_NAMES = Object.keys(QUERIES) as SeriesQuery[];

export type SeriesLabels = Readonly<Record<string, string>>;
export interface LabelledValue {
  readonly labels: SeriesLabels;
  readonly value: number;
}
export type SeriesByQuery = Readonly<Record<SeriesQuery, readonly LabelledValue[]>>;
