import type { Enriched } from '#domain/correlation/records.ts';
import { type Event, severityRank } from '#domain/event/event.ts';
import { complaintOf, isChange } from '#domain/event/identity/complaint.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Above } from '#features/analysis/rules/case.ts';

const MINUTE_MS = 60_000;
/** How long before an event a change can be its cause. */
const CHANGE_MS = 60 * MINUTE_MS;
/** How long before it an event upstream can have begun. */
const UPSTREAM_MS = 24 * 60 * MINUTE_MS;
/** CIs that are asked about at once, the nearest of all events first. */
const MOST_CIS = 2_000;
/** Events read for a batch: changes, and those upstream. */
const PAGE = 500;
const PAGES = 4;

type Needed = Pick<Ports, 'events' | 'sweeps'>;

/** Suspects behind the events of a batch. */
export interface Suspects {
  /** By CI, the newest first. */
  readonly changes: ReadonlyMap<string, readonly Event[]>;
  readonly open: ReadonlyMap<string, readonly Event[]>;
}

const byCi = (events: readonly Event[]): Map<string, Event[]> => {
  const found = new Map<string, Event[]>();
  for (const event of events) {
    if (event.ci === null) continue;
    const known = found.get(event.ci.id);
    if (known) known.push(event);
    else found.set(event.ci.id, [event]);
  }
  return found;
};

/** Changes that are not resolved, which they are when the longest window is over. */
const changesOf = async ({ sweeps }: Needed, tenant: string, before: number): Promise<Event[]> => {
  const changes: Event[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const part: Awaited<ReturnType<typeof sweeps.silent>> = await sweeps.silent(
      tenant,
      { before, changes: true },
      { limit: PAGE, ...(cursor !== null && { cursor }) },
    );
    changes.push(...part.items);
    cursor = part.nextCursor;
    if (cursor === null) break;
  }
  return changes.sort((a, b) => b.timestamp - a.timestamp);
};

/** The CIs upstream of the events, the nearest first. */
const upstreamCis = (records: Iterable<Enriched>): string[] => {
  const hops = new Map<string, number>();
  for (const { upstream } of records)
    for (const { ci, hops: far } of upstream) hops.set(ci, Math.min(far, hops.get(ci) ?? far));
  return [...hops]
    .sort((a, b) => a[1] - b[1])
    .slice(0, MOST_CIS)
    .map(([ci]) => ci);
};

/** `now`: ms. */
export const suspectsFor = async (
  ports: Needed,
  tenant: string,
  enriched: ReadonlyMap<string, Enriched>,
  now: number,
): Promise<Suspects> => {
  const cis = upstreamCis(enriched.values());
  const isBound = [...enriched.values()].some(({ arrival }) => arrival.ciId !== null);
  const page = { sort: 'timestamp', order: 'desc', limit: PAGE } as const;
  const [changes, open] = await Promise.all([
    isBound ? changesOf(ports, tenant, now + UPSTREAM_MS) : [],
    cis.length === 0
      ? []
      : ports.events
          .find(tenant, { ciId: cis, statuses: ['open', 'acknowledged'], from: now - 2 * UPSTREAM_MS }, page)
          .then(({ items }) => items),
  ]);
  return { changes: byCi(changes), open: byCi(open) };
};

const nearest = (a: Above, b: Above): number => a.hops - b.hops || b.event.timestamp - a.event.timestamp;

/** The CI of the event, and those above it. */
const around = (event: Event, enriched: Enriched | undefined): { ci: string; hops: number }[] => {
  if (event.ci === null) return [];
  return [{ ci: event.ci.id, hops: 0 }, ...(enriched?.upstream ?? []).filter(({ hops }) => hops > 0)];
};

const within = (event: Event, { timestamp }: Event, ms: number): boolean =>
  timestamp <= event.timestamp && timestamp >= event.timestamp - ms;

export const changesFor = (event: Event, enriched: Enriched | undefined, { changes }: Suspects): Above[] =>
  around(event, enriched)
    .flatMap(({ ci, hops }) => (changes.get(ci) ?? []).map((change) => ({ event: change, hops })))
    .filter(({ event: change }) => change.id !== event.id && within(event, change, CHANGE_MS))
    .sort(nearest);

/** As severe, or a known cause; what is usual explains nothing. */
const canCause = (above: Event, { severity }: Event): boolean =>
  !above.usual &&
  !isChange(above) &&
  (severityRank(above.severity) >= severityRank(severity) || complaintOf(above).known !== null);

export const upstreamFor = (event: Event, enriched: Enriched | undefined, { open }: Suspects): Above[] =>
  around(event, enriched)
    .filter(({ hops }) => hops > 0)
    .flatMap(({ ci, hops }) => (open.get(ci) ?? []).map((above) => ({ event: above, hops })))
    .filter(({ event: above }) => within(event, above, UPSTREAM_MS) && canCause(above, event))
    .sort(nearest);
