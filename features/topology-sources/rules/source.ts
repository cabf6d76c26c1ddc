/** A topology source and the state of its runs. Times are epoch ms. */
import type { RunChanges } from './changes.ts';
import type { HeldEndings } from './guard.ts';

export const SOURCE_KINDS = ['prometheus', 'kubernetes', 'netbox'] as const;
type SourceKind = (typeof SOURCE_KINDS)[number];
/** Kind of sources that push to `/cmdb/sync/{source}`; a record lists them and schedules their endings. */
export const SYNCED = 'sync';

export type SourceAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

export interface TopologySource {
  readonly name: string;
  readonly kind: SourceKind | typeof SYNCED;
  /** Null: pushed by the source, or the cluster that Faultline runs in. */
  readonly url: string | null;
  readonly auth: SourceAuth | null;
  /** Certificate authorities to trust instead of the system's, PEM. */
  readonly ca: string | null;
  readonly everyMs: number;
  readonly graceMs: number;
  /** Name of the cluster; for series without a cluster label. */
  readonly cluster: string | null;
  /** Device roles of NetBox from upstream to downstream; absent: by common names. */
  readonly roles?: readonly string[];
  readonly paused: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Maximum number of sources per tenant. */
export const MAX_SOURCES = 100;
export const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
export const DEFAULT_EVERY_MS = 60_000;
/** Default of NetBox, whose reply needs many requests. */
export const NETBOX_EVERY_MS = 600_000;
export const DEFAULT_GRACE_MS = 600_000;
export const MIN_EVERY_MS = 1_000;
export const MIN_GRACE_MS = 10_000;
const MAX_BACKOFF_MS = 900_000;
/** Name of a cluster that neither the source nor its series name. */
export const DEFAULT_CLUSTER = 'default';

/** Changes of a run, and the size of the current set. */
export interface RunCounts {
  readonly cis: SetCounts;
  readonly relationships: SetCounts;
  readonly pods: number;
  /** Firing alerts; absent: not known. */
  readonly alerts?: number;
}
export interface SetCounts {
  /** Size of the current set. */
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly ended: number;
  /** No longer reported, within the grace. */
  readonly missing: number;
  readonly failed: number;
}
/** The last run that changed something. */
interface ChangingRun {
  readonly at: number;
  readonly counts: RunCounts;
  readonly changes: RunChanges;
}
export const SOURCE_FAILURES = [
  'refused_address',
  'unreachable',
  'refused_credentials',
  'wrong_url',
  'server_error',
] as const;
export type SourceFailure = (typeof SOURCE_FAILURES)[number];

export interface TopologySourceState {
  readonly lastRun: number | null;
  readonly counts: RunCounts | null;
  /** Time since which all runs have failed; null while healthy. */
  readonly staleSince: number | null;
  /** Consecutive failed runs. */
  readonly failures: number;
  readonly error: string | null;
  /** Absent: stored by an earlier version. */
  readonly errorCode?: SourceFailure | null;
  readonly held: HeldEndings | null;
  /** Time of the last update of `last_seen`, ms. */
  readonly seenAt: number;
  readonly lastChange: ChangingRun | null;
}
export const NEW_STATE: TopologySourceState = {
  lastRun: null,
  counts: null,
  staleSince: null,
  failures: 0,
  error: null,
  held: null,
  seenAt: 0,
  lastChange: null,
};

/** Prefix of topology sources in `createdBy` and `updatedBy` of a CI. */
const WRITTEN = 'source:';
export const writtenBySource = (name: string): string => WRITTEN + name;
export const isWrittenBySource = (by: string): boolean => by.startsWith(WRITTEN);

/** Time until the next run; grows with consecutive failures, ms. */
export const delayAfter = (failures: number, everyMs: number): number =>
  failures === 0 ? everyMs : Math.max(everyMs, Math.min(everyMs * 2 ** failures, MAX_BACKOFF_MS));

const changes = ({ created, updated, ended }: SetCounts): number => created + updated + ended;
export const isChanging = ({ cis, relationships }: RunCounts): boolean => changes(cis) + changes(relationships) > 0;
