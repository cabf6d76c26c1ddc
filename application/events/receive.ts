import { checkRules, correlationSettings } from '#application/records/tenant-settings.ts';
import { itemAt } from '#domain/assert.ts';
import { longestWindowMs } from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import { type CheckRule, ruledDraft } from '#domain/event/identity/check-rules.ts';
import type { Ask, Incoming, Occurrence, Receipt } from '#domain/event/incoming.ts';
import { type AssigneeDirectory, withKnownAssignees } from '#domain/event/lifecycle/assignee.ts';
import { MAX_BEHIND_MS } from '#domain/event/lifecycle/change.ts';
import { RETURN_AFTER_MS } from '#domain/event/lifecycle/occurrence.ts';
import { type DedupSettings, type Preparation, prepare } from '#domain/event/lifecycle/prepare.ts';
import { maintainedCi } from '#domain/event/silences/silence-rule.ts';
import { Fault } from '#domain/fault.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { ServicesOfCi } from '#domain/services/dependencies.ts';
import type { Service } from '#domain/services/service.ts';
import type { Binding } from '#domain/topology/binding.ts';
import { sourceNamed } from '#sources/sources.ts';
import { entered } from './entered.ts';
import type { EventAction } from './event-action.ts';
import { noteHeartbeats } from './heartbeats.ts';
import { type Judging, silencedOccurrence } from './silences/known-silences.ts';

interface Arriving {
  readonly tenant: string;
  readonly receivedAt: number;
  /** Makes the delivery of every action recognizable when the client repeats the request. */
  readonly idempotencyKey: string | null;
}

const NOTED: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

/**
 * `receive` for messages of monitors: records the tenant's heartbeats and receives the others. One receipt per action,
 * in order.
 */
export const receiveOrNote = async (
  ports: Ports,
  sent: readonly EventAction[],
  arriving: Arriving,
): Promise<readonly (Receipt | null)[]> => {
  if (sent.length === 0) return [];
  const actions = sent.map(entered);
  const settings = await correlationSettings(ports.records, arriving.tenant);
  if (settings.heartbeats.length === 0) return receiveEntered(ports, actions, arriving, settings);
  const beats = await noteHeartbeats(ports.records, actions, arriving, settings.heartbeats);
  const noted = actions.filter((_, index) => beats[index]);
  countReceipts(
    ports,
    noted,
    noted.map(() => NOTED),
    arriving.tenant,
  );
  const events = actions.filter((_, index) => !beats[index]);
  const receipts = await receiveEntered(ports, events, arriving, settings);
  let next = 0;
  return beats.map((isBeat) => (isBeat ? NOTED : (receipts[next++] ?? null)));
};

/** The caller gets the answer that its event is late before the request times out. */
const RECEIPT_TIMEOUT_MS = 14_500;
const UNBOUND: Binding = { ci: null, method: null, ambiguous: false };

/**
 * The common path of single, bulk, webhook and /v1 ingest: bind, sign, append, wait. One receipt per action, in order;
 * null when all are in the log but not answered yet.
 */
export const receive = (
  ports: Ports,
  sent: readonly EventAction[],
  arriving: Arriving,
): Promise<readonly (Receipt | null)[]> => receiveEntered(ports, sent.map(entered), arriving);

/** `known`: settings that were just read. */
const receiveEntered = async (
  ports: Ports,
  actions: readonly EventAction[],
  arriving: Arriving,
  known?: CorrelationSettings,
): Promise<readonly (Receipt | null)[]> => {
  const { tenant, receivedAt, idempotencyKey } = arriving;
  if (actions.length === 0) return [];
  const settings = dedupSettings(known ?? (await correlationSettings(ports.records, tenant)));
  const rules = await checkRules(ports.records, tenant);
  const bindings = await bindAll(ports, tenant, actions);
  const servicesOf = await ports.memory.services.of(tenant, receivedAt);
  const { silences } = ports.memory;
  const compiled = await silences.of(ports, tenant, receivedAt);
  const judging = { tenant, compiled, held: silences.held, now: receivedAt };
  const directory = actions.some(isAssigned) ? await ports.memory.directories.of(tenant, receivedAt) : null;
  const records = actions.map((action, index): Incoming => {
    const deliveryId = action.deliveryId ?? (idempotencyKey === null ? undefined : `key:${idempotencyKey}#${index}`);
    const ask = askOf(action, bindings[index] ?? UNBOUND, {
      ports,
      settings,
      rules,
      receivedAt,
      servicesOf,
      directory,
      judging,
    });
    return deliveryId === undefined ? { ask, receivedAt } : { ask, receivedAt, deliveryId };
  });
  const reply = await ports.eventLog.request(tenant, records, { timeoutMs: RECEIPT_TIMEOUT_MS });
  const receipts = reply.done ? reply.receipts : actions.map(() => null);
  countReceipts(ports, actions, receipts, tenant);
  return receipts;
};

/** A topology store that is slow or down leaves events unbound; it does not refuse them. They are bound when it is back. */
const bindAll = async (ports: Ports, tenant: string, actions: readonly EventAction[]): Promise<readonly Binding[]> => {
  const queries = actions.map((action) => {
    if (action.draft === undefined) return {};
    const { ciId, ciHints, hostname, ipAddress } = action.draft;
    return {
      ...(ciId !== undefined && { ciId }),
      ...(ciHints !== undefined && { hints: ciHints }),
      ...(hostname !== undefined && { hostname }),
      ...(ipAddress !== undefined && { ipAddress }),
    };
  });
  const bindings = await ports.matcher.bindInTime(tenant, queries).catch(() => queries.map(() => null));
  let skipped = 0;
  for (const [index, binding] of bindings.entries())
    if (binding === null && Object.keys(itemAt(queries, index)).length > 0) skipped += 1;
  if (skipped > 0) {
    ports.metrics.count('faultline_bindings_skipped_total', {}, skipped);
    ports.background.unbound(tenant);
  }
  return bindings.map((binding) => binding ?? UNBOUND);
};

interface IntakeContext {
  readonly ports: Ports;
  readonly settings: DedupSettings;
  readonly rules: readonly CheckRule[];
  readonly receivedAt: number;
  readonly servicesOf: ServicesOfCi;
  readonly judging: Judging;
  /** Null when no event names an assignee. */
  readonly directory: AssigneeDirectory | null;
}

const isAssigned = (action: EventAction): boolean =>
  action.draft?.assignedTo !== undefined || action.draft?.assignedTeam !== undefined;

const NO_SERVICES: readonly Service[] = [];

const occurrenceOf = (
  said: EventDraft,
  { conditionId, plain }: Pick<Preparation, 'conditionId' | 'plain'>,
  binding: Binding,
  asking: IntakeContext,
): Occurrence => {
  const { ports, settings, rules, receivedAt, servicesOf, directory, judging } = asking;
  const ruled = ruledDraft(said, rules);
  const occurrence = prepare(directory === null ? ruled : withKnownAssignees(ruled, directory), {
    binding,
    services: binding.ci === null ? NO_SERVICES : (servicesOf.get(binding.ci.id) ?? NO_SERVICES),
    settings,
    newId: ports.ids.ulid(),
    conditionId,
    plain,
    receivedAt,
    sign: ports.memory.sign,
  });
  return silencedOccurrence(occurrence, binding.maintenance, judging);
};

const askOf = (action: EventAction, binding: Binding, asking: IntakeContext): Ask => {
  const { settings, receivedAt } = asking;
  if (action.action === 'open' || action.action === 'update') {
    const occurrence = occurrenceOf(action.draft, action, binding, asking);
    return { kind: 'occurred', occurrence: action.action === 'open' ? occurrence : { ...occurrence, update: true } };
  }
  const { source, sourceId, conditionId, notes, author, draft } = action;
  const reference = {
    source,
    sourceId,
    conditionId,
    at: action.at ?? receivedAt,
    ...(notes !== undefined && { notes }),
  };
  if (action.action === 'resolve')
    return {
      kind: 'recovered',
      ...reference,
      ...(action.at === undefined && { untimed: true }),
      ...(settings.maxBehindMs !== undefined && { maxBehindMs: settings.maxBehindMs }),
    };
  return {
    kind: MARKS[action.action],
    ...reference,
    ...(author !== undefined && { author }),
    ...(draft !== undefined && { occurrence: occurrenceOf(draft, { conditionId }, binding, asking) }),
  };
};
const MARKS = {
  acknowledge: 'acknowledged',
  unacknowledge: 'unacknowledged',
  suppress: 'suppressed',
  unsuppress: 'unsuppressed',
} as const;

/** The settings that occurrences carry; defaults of dedup are left out. */
const dedupSettings = (settings: CorrelationSettings): DedupSettings => {
  const { dedupScope, dedupWindowMs, plainEscalation, maxBehindMs } = settings;
  const returnAfterMs = longestWindowMs(settings);
  return {
    dedupScope,
    dedupWindowMs,
    ...(maxBehindMs !== MAX_BEHIND_MS && { maxBehindMs }),
    ...(returnAfterMs !== RETURN_AFTER_MS && { returnAfterMs }),
    ...(plainEscalation === 'same_event' && { escalation: plainEscalation }),
  };
};

export type Accepted = Extract<Receipt, { ok: true }>;

/** Returns the receipt of an accepted record, else throws its fault. */
export const accepted = (receipt: Receipt): Accepted => {
  if (receipt.ok) return receipt;
  throw new Fault(receipt.fault, receipt.message, [], receipt.data === undefined ? {} : { data: receipt.data });
};

type Measuring = Pick<Ports, 'metrics' | 'memory'>;

const sourceOf = (action: EventAction): string => ('source' in action ? action.source : action.draft.source);

/** Monitors by name, all else as one: any client may think of a source. */
const labelOf = (source: string): string => sourceNamed(source)?.name ?? 'other';

const isSkewed = (receipt: Receipt | null): boolean => receipt?.ok === true && receipt.skewed === true;

/** Counts occurrences with an implausible time by source. */
const countSkewed = (
  metrics: Metrics,
  actions: readonly EventAction[],
  receipts: readonly (Receipt | null)[],
): void => {
  if (!receipts.some(isSkewed)) return;
  for (const [index, receipt] of receipts.entries())
    if (isSkewed(receipt))
      metrics.count('faultline_clock_skew_total', { source: labelOf(sourceOf(itemAt(actions, index))) });
};

const outcomeOf = (receipt: Receipt | null | undefined): string =>
  receipt ? (receipt.ok ? receipt.outcome : 'failed') : 'queued';

/** Counts occurrences suppressed by silences and maintenance. */
const countSuppressed = (metrics: Metrics, receipts: readonly (Receipt | null)[]): void => {
  const counts = { silence: 0, maintenance: 0 };
  for (const receipt of receipts) {
    if (!receipt?.ok || receipt.suppressedBy === undefined) continue;
    counts[maintainedCi(receipt.suppressedBy) === null ? 'silence' : 'maintenance'] += 1;
  }
  for (const [by, count] of Object.entries(counts))
    if (count > 0) metrics.count('faultline_events_suppressed_total', { by }, count);
};

/** Counts actions by source and outcome. */
const tally = (actions: readonly EventAction[], receipts: readonly (Receipt | null)[]) => {
  const counts = new Map<string, Map<string, number>>();
  for (const [index, action] of actions.entries()) {
    const source = sourceOf(action);
    const outcome = outcomeOf(receipts[index]);
    const ofSource = counts.get(source) ?? new Map<string, number>();
    counts.set(source, ofSource.set(outcome, (ofSource.get(outcome) ?? 0) + 1));
  }
  return counts;
};

/** Most requests bring nothing new. */
const noteLast = ({ metrics, memory: { lastSeconds } }: Measuring, source: string, now: number): void => {
  const second = Math.floor(now / 1000);
  if (lastSeconds.get(source) === second) return;
  lastSeconds.set(source, second);
  metrics.gauge('faultline_source_last_event_timestamp_seconds', { source }, second);
};

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/** Counts the outcomes of the actions of one request; one measurement per source and outcome, not per event. */
const countReceipts = (
  ports: Measuring & Pick<Ports, 'clock'>,
  actions: readonly EventAction[],
  receipts: readonly (Receipt | null)[],
  tenant: string,
): void => {
  const { metrics, clock, memory } = ports;
  countSkewed(metrics, actions, receipts);
  countSuppressed(metrics, receipts);
  const now = clock.now();
  for (const [name, outcomes] of tally(actions, receipts)) {
    const source = labelOf(name);
    noteLast(ports, source, now);
    memory.sources.note(tenant, name, now, { events: sum(outcomes.values()), last: now });
    for (const [outcome, count] of outcomes) {
      metrics.count('faultline_events_ingested_total', { source, outcome }, count);
      if (outcome === 'duplicate_updated') metrics.count('faultline_duplicates_total', {}, count);
    }
  }
};
