import type { QueryContext } from '#application/access/context.ts';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { maintainedUntil } from '#domain/topology/maintenance.ts';
import { overlap, type TimeSpan } from '#domain/topology/maintenance-window.ts';

/** A CI that provides no redundancy now. */
export interface DownCi {
  readonly ciId: string;
  readonly why: 'event' | 'maintenance' | 'change';
  readonly event?: Event;
  /** Nothing of it works: it is out of its cluster, stopped, or not reachable. */
  readonly isStopped: boolean;
}

export interface DownNow {
  readonly down: ReadonlyMap<string, DownCi>;
  /** CIs that run, but whose failover is in doubt: they have lost their peer, their synchronization or their spare. */
  readonly doubtful: ReadonlyMap<string, DownCi>;
}

/** Events that are read, the most severe first. */
const PAGE = 500;
const PAGES = 4;
const FILTER = {
  severities: ['critical', 'major'],
  statuses: ['open', 'acknowledged'],
  bound: true,
  usual: false,
} as const;

async function severeEvents({ tenant, ports, caller }: QueryContext): Promise<Event[]> {
  if (!caller.permissions.has('events.read')) return [];
  const events: Event[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES && cursor !== null; page++) {
    const asked = { sort: 'severity', order: 'desc', limit: PAGE, ...(cursor !== undefined && { cursor }) } as const;
    const part = await ports.events.part(tenant, FILTER, asked);
    events.push(...part.items);
    cursor = part.nextCursor;
  }
  return events;
}

function judged(event: Event): keyof DownNow | null {
  if (isChange(event)) return null;
  const { stops, causes } = complaintKindOf(event);
  if (stops === 'all') return 'down';
  if (stops === 'spare') return 'doubtful';
  return event.severity === 'critical' && causes.length > 0 ? 'down' : null;
}

/** CIs in maintenance now, or within the span. */
async function maintained({ tenant, ports, receivedAt: now }: QueryContext, span: TimeSpan | undefined) {
  const all = await ports.topology.inMaintenance(tenant);
  return all
    .filter(({ maintenance }) => {
      const { window } = maintenance;
      const isThen = span !== undefined && window !== undefined && overlap(span, window);
      return isThen || maintainedUntil(maintenance, now) !== null;
    })
    .map(({ ciId }): DownCi => ({ ciId, why: 'maintenance', isStopped: false }));
}

/** CIs without redundancy to offer, from up to 2,000 severe events and from maintenance within `span`. Requires events.read for events. */
export async function downNow(asking: QueryContext, span?: TimeSpan): Promise<DownNow> {
  const [events, inMaintenance] = await Promise.all([severeEvents(asking), maintained(asking, span)]);
  const down = new Map(inMaintenance.map((one) => [one.ciId, one]));
  const doubtful = new Map<string, DownCi>();
  for (const event of events) {
    const ciId = event.ci?.id;
    const as = judged(event);
    if (ciId === undefined || as === null) continue;
    const known = as === 'down' ? down : doubtful;
    const isStopped = as === 'down' && complaintKindOf(event).stops === 'all';
    const before = known.get(ciId);
    if (before === undefined || before.why !== 'event') known.set(ciId, { ciId, why: 'event', event, isStopped });
    else if (isStopped && !before.isStopped) known.set(ciId, { ...before, isStopped });
  }
  return { down, doubtful };
}
