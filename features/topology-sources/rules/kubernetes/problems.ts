/** Problems that Kubernetes reports, by family: reasons of events with the same meaning, and reasons that end it. */
import type { Severity } from '#domain/event/event.ts';
import type { StockComplaint } from '#domain/event/identity/alert-kinds.ts';

const MINUTE_MS = 60_000;
/** Kubernetes forgets its events after an hour. */
const HOUR_MS = 60 * MINUTE_MS;

export interface ProblemFamily {
  readonly title: string;
  readonly severity: Severity;
  readonly complaint: StockComplaint;
  /** `state`: as long as the node reports it. A number: until the pod was ready for this time, ms. */
  readonly ends: 'state' | 'later' | number;
  /** Time after the last report at which it is over, ms; null: none. */
  readonly lastsMs: number | null;
}

const family = (
  severity: Severity,
  title: string,
  complaint: StockComplaint,
  ends: ProblemFamily['ends'],
  lastsMs: number | null = ends === 'state' ? null : HOUR_MS,
): ProblemFamily => ({ title, severity, complaint, ends, lastsMs });

export const FAMILIES = {
  node_ready: family('critical', 'Node is not ready', 'host_down', 'state'),
  node_disk: family('major', 'Node is low on disk space', 'disk_full', 'state'),
  node_memory: family('major', 'Node is low on memory', 'latency', 'state'),
  node_pids: family('major', 'Node is low on process IDs', 'errors', 'state'),
  node_network: family('critical', 'Node network is unavailable', 'link_down', 'state'),
  node_kernel: family('critical', 'Node kernel is deadlocked', 'host_down', 'state'),
  node_files: family('critical', 'Node file system is read-only', 'down', 'state'),
  node_oom: family('warning', 'Process on node was killed: out of memory', 'unknown', 'later', 10 * MINUTE_MS),
  node_evicting: family('warning', 'Node is evicting pods', 'errors', 'later', 10 * MINUTE_MS),
  node_reboot: family('warning', 'Node was rebooted', 'host_down', 'later', 10 * MINUTE_MS),
  crash: family('major', 'Container keeps crashing', 'down', MINUTE_MS),
  image: family('major', "Container image can't be pulled", 'down', 0),
  container: family('major', "Container can't be started", 'down', 0),
  oom: family('major', 'Container ran out of memory', 'out_of_memory', MINUTE_MS),
  probe: family('warning', 'Container fails its health check', 'down', 0),
  schedule: family('major', "Pod can't be scheduled", 'down', 0),
  mount: family('major', "Volume can't be mounted", 'down', 0),
  sandbox: family('major', "Pod sandbox can't be created", 'down', 0),
  evicted: family('warning', 'Pod was evicted', 'errors', 'later', 10 * MINUTE_MS),
  create: family('major', "Pods can't be created", 'down', 'later'),
  job: family('warning', 'Job failed', 'errors', 'later'),
  provision: family('major', "Volume can't be provisioned", 'errors', 'later'),
  balancer: family('major', "Load balancer can't be set up", 'errors', 'later'),
} as const satisfies Readonly<Record<string, ProblemFamily>>;
export type FamilyName = keyof typeof FAMILIES;

const REASONS: ReadonlyMap<string, FamilyName> = new Map(
  Object.entries({
    node_ready: 'NodeNotReady',
    node_disk: 'NodeHasDiskPressure',
    node_memory: 'NodeHasInsufficientMemory',
    node_pids: 'NodeHasInsufficientPID',
    node_oom: 'OOMKilling SystemOOM',
    node_evicting: 'EvictionThresholdMet',
    node_reboot: 'Rebooted',
    crash: 'BackOff CrashLoopBackOff',
    image: 'ErrImagePull ImagePullBackOff ErrImageNeverPull InspectFailed',
    container: 'Failed CreateContainerError CreateContainerConfigError',
    oom: 'OOMKilled',
    probe: 'Unhealthy ProbeError',
    schedule: 'FailedScheduling',
    mount: 'FailedMount FailedAttachVolume FailedMapVolume',
    sandbox: 'FailedCreatePodSandBox FailedCreatePodSandbox',
    evicted: 'Evicted Preempted',
    create: 'FailedCreate',
    job: 'BackoffLimitExceeded DeadlineExceeded',
    provision: 'ProvisioningFailed',
    balancer: 'SyncLoadBalancerFailed CreatingLoadBalancerFailed',
  }).flatMap(([name, reasons]) =>
    reasons.split(' ').map((reason): [string, FamilyName] => [reason, name as FamilyName]),
  ),
);
/** Families of problems of nodes. */
const OF_NODES = /^node_/;
const OF_IMAGE = /^Back-off pulling|ErrImage|ImagePull|pull image/i;

/** Finds the family of an event; undefined: it reports no known problem. */
export function familyOf({
  kind,
  reason,
  message,
}: {
  readonly kind: string;
  readonly reason: string;
  readonly message: string;
}): FamilyName | undefined {
  const found = REASONS.get(reason);
  if (found === undefined || OF_NODES.test(found) !== (kind === 'node')) return undefined;
  return (reason === 'BackOff' || reason === 'Failed') && OF_IMAGE.test(message) ? 'image' : found;
}

const RECOVERIES: Readonly<Record<string, readonly FamilyName[]>> = {
  NodeReady: ['node_ready'],
  NodeHasNoDiskPressure: ['node_disk'],
  NodeHasSufficientMemory: ['node_memory'],
  NodeHasSufficientPID: ['node_pids'],
  Scheduled: ['schedule'],
  SuccessfulMountVolume: ['mount'],
  Pulled: ['image'],
  Created: ['image', 'mount', 'sandbox'],
  Started: ['image', 'container', 'mount', 'sandbox'],
  SuccessfulCreate: ['create'],
  Completed: ['job'],
  ProvisioningSucceeded: ['provision'],
  EnsuredLoadBalancer: ['balancer'],
};
const NONE: readonly FamilyName[] = [];

/** Families that an event ends for its object. */
export const endedBy = (reason: string): readonly FamilyName[] => RECOVERIES[reason] ?? NONE;
