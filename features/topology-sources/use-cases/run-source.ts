import { type Asker, auditAs } from '#application/access/audit.ts';
import type { TenantContext } from '#application/access/context.ts';
import { storeDurations } from '#application/records/alert-durations.ts';
import { inSteps } from '#application/tasks/in-steps.ts';
import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { kubernetesObject } from '#domain/topology/kubernetes-keys.ts';
import { codeData, SourceError } from '#features/topology-sources/rules/connection.ts';
import { seriesOf } from '#features/topology-sources/rules/kubernetes/objects.ts';
import { type FoundTopology, topologyOf } from '#features/topology-sources/rules/prometheus/topology.ts';
import {
  DEFAULT_EVERY_MS,
  delayAfter,
  isChanging,
  type RunCounts,
  SYNCED,
  type TopologySource,
  type TopologySourceState,
} from '#features/topology-sources/rules/source.ts';
import { exclusively } from './exclusive.ts';
import { tellHeld } from './held-event.ts';
import { calmRun, type FoundSet, noteCalm, type SeenSource } from './kubernetes/calm-runs.ts';
import { watchKubernetes } from './kubernetes/read-kubernetes.ts';
import { KNOWN_OBJECTS } from './objects/known-objects.ts';
import { storePods } from './objects/stored-pods.ts';
import { readNetbox } from './read-netbox.ts';
import { type PrometheusReplies, readAlertRules, readPrometheus, seriesByQuery } from './read-prometheus.ts';
import { type AppliedSet, applySet, type SetApplication } from './said/apply-set.ts';
import { allSources, findSource, putState, setDue, stateOf } from './stored/source-store.ts';

export interface RunOptions {
  readonly isDryRun: boolean;
  /** Endings beyond the guard are allowed. */
  readonly isConfirmed: boolean;
  readonly isStopping: () => boolean;
  /** Number of waits for another run (`exclusive.ts`). */
  readonly waits: number;
  /** Named in the audit log. */
  readonly asker: Asker;
}
export interface SourceRun {
  readonly counts: RunCounts;
  readonly applied: AppliedSet;
}

/** Time between updates of `last_seen`; ms. */
const SEEN_MS = 6 * 3_600_000;
const NOTHING = { cis: [], edges: [] };

const applying = async (
  { ports, tenant }: TenantContext,
  source: TopologySource,
  state: TopologySourceState,
  { isDryRun, isConfirmed, isStopping }: RunOptions,
): Promise<SetApplication> => {
  const at = ports.clock.now();
  return {
    source: source.name,
    sources: (await allSources(ports.records, tenant)).map(({ name }) => name),
    isWhole: source.kind !== SYNCED,
    graceMs: source.graceMs,
    isDryRun,
    isConfirmed,
    isAllOrNothing: false,
    at,
    notesSeen: source.kind !== SYNCED && at - state.seenAt >= SEEN_MS,
    isStopping,
  };
};

/** Reads the source and updates the CMDB to match. Throws SourceError if it cannot be read. */
async function applied(
  context: TenantContext,
  source: TopologySource,
  how: SetApplication,
  lastRun: number | null,
): Promise<FoundSet> {
  if (source.kind === SYNCED) return { set: await applySet(context, NOTHING, how), pods: 0 };
  const { ports, tenant } = context;
  if (source.kind === 'netbox') {
    const set = await readNetbox(ports, source, how.isStopping);
    return { set: await applySet(context, set, how), pods: 0 };
  }
  if (source.kind === 'prometheus') {
    const replies = await readPrometheus(ports, source);
    const seen = { seen: seenPrometheus(ports, `${tenant}/${source.name}`), shape: replies.hash };
    const rules = await readAlertRules(ports, source);
    const found = calmRun(ports, seen, how, lastRun) ?? (await appliedSeries(context, source, how, { replies, seen }));
    if (rules === null) return found;
    if (!how.isDryRun) await storeDurations(ports.records, tenant, source.name, rules.durations);
    return { ...found, alerts: rules.firing };
  }
  const watch = await watchKubernetes(ports, source, tenant);
  const seen = { seen: watch, shape: watch.shape };
  const calm = calmRun(ports, seen, how, lastRun);
  if (calm !== null) return calm;
  const topology = await inSteps(topologyOf(seriesOf(watch.objects), source.cluster), ports.clock);
  const found = await appliedObjects(context, source.name, topology, how);
  noteCalm(ports, seen, how, found);
  return found;
}

const PROMETHEUS: MemorySlot<Lru<string, object>> = { name: 'topology-prometheus', open: () => new Lru(10_000) };

function seenPrometheus({ memory }: Pick<Ports, 'memory'>, id: string): object {
  const known = memory.of(PROMETHEUS);
  const seen = known.get(id) ?? {};
  known.set(id, seen);
  return seen;
}

async function appliedSeries(
  context: TenantContext,
  source: TopologySource,
  how: SetApplication,
  { replies, seen }: { readonly replies: PrometheusReplies; readonly seen: SeenSource },
): Promise<FoundSet> {
  const { ports } = context;
  const series = await seriesByQuery(ports, source, replies);
  const found = await appliedObjects(
    context,
    source.name,
    await inSteps(topologyOf(series, source.cluster), ports.clock),
    how,
  );
  noteCalm(ports, seen, how, found);
  return found;
}

async function appliedObjects(
  context: TenantContext,
  source: string,
  { set, pods }: FoundTopology,
  how: SetApplication,
): Promise<FoundSet> {
  const { ports, tenant } = context;
  const found = { set: await applySet(context, set, how), pods: pods.length };
  if (how.isDryRun) return found;
  const clusters = new Set(set.cis.flatMap(({ key }) => kubernetesObject(key)?.cluster ?? []));
  if (await storePods(ports, tenant, { source, pods, clusters: [...clusters], at: how.at })) {
    ports.memory.of(KNOWN_OBJECTS).forget(tenant);
    ports.background.unbound(tenant);
  }
  return found;
}

/** Sync sources run only to end missing items. */
const nextRun = ({ kind, paused, everyMs }: TopologySource, at: number, endsAt: number | null): number | null => {
  if (kind === SYNCED) return endsAt;
  return paused ? null : at + everyMs;
};

async function noteRun(
  context: TenantContext,
  source: TopologySource,
  before: TopologySourceState,
  { counts, applied: { held, endsAt, errors, changes } }: SourceRun,
  { how, asker }: { readonly how: SetApplication; readonly asker: Asker },
): Promise<void> {
  const { ports, tenant } = context;
  const { name } = source;
  const { at } = how;
  const heldSince = held === null ? null : { ...held, since: before.held?.since ?? held.since };
  await putState(ports.records, tenant, name, {
    lastRun: at,
    counts,
    staleSince: null,
    failures: 0,
    error: errors[0] ?? null,
    errorCode: null,
    held: heldSince,
    seenAt: how.notesSeen ? at : before.seenAt,
    lastChange: isChanging(counts) ? { at, counts, changes } : before.lastChange,
  });
  await setDue(ports.records, tenant, name, nextRun(source, at, held === null ? endsAt : null));
  await tellHeld(context, name, { before: before.held, after: heldSince });
  if (!isChanging(counts)) return;
  const { cis, relationships } = counts;
  const target = { kind: 'source', id: name };
  await auditAs(ports, tenant, asker, { action: 'source.run', target, before: null, after: { cis, relationships } });
}

async function noteFailure(
  { ports, tenant }: TenantContext,
  { name, everyMs, paused }: TopologySource,
  before: TopologySourceState,
  error: unknown,
): Promise<void> {
  const at = ports.clock.now();
  const failures = before.failures + 1;
  await putState(ports.records, tenant, name, {
    ...before,
    lastRun: at,
    failures,
    staleSince: before.staleSince ?? at,
    error: error instanceof SourceError ? error.message : 'internal error',
    errorCode: error instanceof SourceError ? error.code : null,
  });
  await setDue(ports.records, tenant, name, paused ? null : at + delayAfter(failures, everyMs || DEFAULT_EVERY_MS));
}

async function ran(context: TenantContext, source: TopologySource, options: RunOptions): Promise<SourceRun> {
  const { isDryRun, isStopping, asker } = options;
  const state = await stateOf(context.ports.records, context.tenant, source.name);
  const how = await applying(context, source, state, options);
  try {
    const { set, ...found } = await applied(context, source, how, state.lastRun);
    const run = { counts: { cis: set.cis, relationships: set.relationships, ...found }, applied: set };
    if (!isDryRun && !isStopping()) await noteRun(context, source, state, run, { how, asker });
    return run;
  } catch (error) {
    if (!isDryRun && !isStopping()) await noteFailure(context, source, state, error);
    if (!(error instanceof SourceError)) throw error;
    throw new Fault('unprocessable', error.message, [], { cause: error, data: codeData(error.code) });
  }
}

/**
 * Reads a source as given, even if it is not stored, and stores nothing. Throws Fault `conflict` if another run is in
 * progress, `unprocessable` if the source cannot be read.
 */
export const tryOut = (
  context: TenantContext,
  source: TopologySource,
  options: Pick<RunOptions, 'isStopping' | 'waits' | 'asker'>,
): Promise<SourceRun> =>
  exclusively(context, { source: source.name, ...options }, ({ isStopping }) =>
    ran(context, source, { ...options, isDryRun: true, isConfirmed: false, isStopping }),
  );

/** Runs the stored source; null when it does not exist, or was deleted while it waited. Throws as `tryOut`. */
export const runStored = (context: TenantContext, name: string, options: RunOptions): Promise<SourceRun | null> =>
  exclusively(context, { source: name, ...options }, async ({ isStopping }) => {
    const stored = await findSource(context.ports.records, context.tenant, name);
    return stored === null ? null : ran(context, stored.body, { ...options, isStopping });
  });
