import { type Event, SEVERITIES, STATUSES, severityRank } from '#domain/event/event.ts';

/** What a further occurrence leaves alone, as it stands in `event.body`. */
type Body = Pick<
  Event,
  'sourceId' | 'title' | 'category' | 'hostname' | 'ipAddress' | 'service' | 'application' | 'environment'
>;
/** What changes seldom, as it stands in `event.state`. */
type State = Pick<
  Event,
  | 'signature'
  | 'ci'
  | 'assignedTo'
  | 'assignedTeam'
  | 'acknowledgedBy'
  | 'acknowledgedAt'
  | 'resolvedBy'
  | 'resolvedAt'
  | 'resolutionNotes'
  | 'resolutionCategory'
  | 'aiAnalysis'
  | 'businessImpact'
  | 'history'
  | 'usual'
>;
/** What every duplicate may change, as it stands in `tally.rest`. */
type Rest = readonly [string | null, Event['tags'], Event['details'], Event['conditions']];

/** Columns in the order in which `toEvent` reads them. */
export const EVENT_COLUMNS = `e.seq, t.magnitude, e.tenant, e.id, e.source, e.timestamp, e.identity, e.status, e.severity,
  e.correlation_id, e.created_at, e.created_position, t.count, t.first, t.last, t.seen_bin, t.seen_bits, t.position,
  t.updated_at, e.body, e.state, t.rest`;
export const SELECT_EVENT = `SELECT ${EVENT_COLUMNS} FROM event e JOIN tally t ON t.seq = e.seq`;

export type EventRow = readonly [
  ...[seq: number, magnitude: number, tenant: string, id: string, source: string, timestamp: number, identity: string],
  ...[status: number, severity: number, correlationId: string | null, createdAt: number, createdPosition: number],
  ...[count: number, first: number, last: number, bin: number, bits: number, position: number, updatedAt: number],
  ...[body: string, state: string, rest: string],
];

export const statusCode = (status: Event['status']): number => STATUSES.indexOf(status);
export { severityRank };

export function toEvent(row: EventRow): Event {
  const [description, tags, details, conditions] = JSON.parse(row[21]) as Rest;
  return {
    tenant: row[2],
    id: row[3],
    source: row[4],
    timestamp: row[5],
    identity: row[6],
    status: STATUSES[row[7]]!,
    severity: SEVERITIES[SEVERITIES.length - 1 - row[8]]!,
    correlationId: row[9],
    createdAt: row[10],
    createdPosition: row[11],
    count: row[12],
    firstOccurrence: row[13],
    lastOccurrence: row[14],
    seen: { bin: row[15], bits: row[16] },
    position: row[17],
    updatedAt: row[18],
    tags,
    details,
    conditions,
    ...(description === null ? {} : { description }),
    ...(JSON.parse(row[19]) as Body),
    ...(JSON.parse(row[20]) as State),
  };
}

export const bodyText = (e: Event): string =>
  JSON.stringify({
    sourceId: e.sourceId,
    title: e.title,
    category: e.category,
    hostname: e.hostname,
    ipAddress: e.ipAddress,
    service: e.service,
    application: e.application,
    environment: e.environment,
  });

export const stateText = (e: Event): string =>
  JSON.stringify({
    signature: e.signature,
    ci: e.ci,
    assignedTo: e.assignedTo,
    assignedTeam: e.assignedTeam,
    acknowledgedBy: e.acknowledgedBy,
    acknowledgedAt: e.acknowledgedAt,
    resolvedBy: e.resolvedBy,
    resolvedAt: e.resolvedAt,
    resolutionNotes: e.resolutionNotes,
    resolutionCategory: e.resolutionCategory,
    aiAnalysis: e.aiAnalysis,
    businessImpact: e.businessImpact,
    history: e.history,
    usual: e.usual,
  });

export const restText = (e: Event): string =>
  JSON.stringify([e.description ?? null, e.tags, e.details, e.conditions] satisfies Rest);

/**
 * Coarse logarithm of a count, never falling as the count grows: nothing below 8, by octaves up to 64, by quarters of one above.
 * Its index orders by count within groups and changes only a few times in the life of an event; most never reach 8.
 */
export const magnitude = (count: number): number => {
  if (count < 8) return 0;
  return count < 64 ? 29 - Math.clz32(count) : 4 + Math.floor(4 * (Math.log2(count) - 6));
};
