import { onBoth } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { canonicalHost, canonicalIp } from '#domain/event/identity/system.ts';
import { AMBIGUOUS_CI } from '#domain/event/lifecycle/change.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { UnboundHosts, UnboundHostsQuery } from '#features/discovery/schemas/discovery-admin.ts';
import { iso } from '#schemas/http/time.ts';

/** Events looked at, the latest first. */
const LOOKED_AT = 5_000;
const PAGE = 500;

/** A host named by events without a CI. */
interface UnboundHost {
  readonly hostname: string | null;
  readonly ipAddress: string | null;
  readonly events: number;
  readonly occurrences: number;
  readonly ambiguous: boolean;
  /** The newest event. */
  readonly last: Event;
}
interface UnboundHostsPage {
  readonly hosts: readonly UnboundHost[];
  readonly events: number;
  readonly truncated: boolean;
}

async function latestUnbound({ events }: Ports, tenant: string): Promise<{ found: Event[]; total: number }> {
  const found: Event[] = [];
  let [cursor, total]: [string | null | undefined, number] = [undefined, 0];
  while (found.length < LOOKED_AT && cursor !== null) {
    const page = { sort: 'lastOccurrence', order: 'desc', limit: PAGE, ...(cursor && { cursor }) } as const;
    const part = await events.find(tenant, { unbound: {} }, page);
    if (cursor === undefined) total = part.total;
    found.push(...part.items);
    cursor = part.nextCursor;
  }
  return { found, total };
}

/** Groups events by host; the latest event of a host is first, so it is shown. */
function byHost(events: readonly Event[]): UnboundHost[] {
  const hosts = new Map<string, UnboundHost>();
  for (const event of events) {
    const hostname = event.hostname ? canonicalHost(event.hostname) : null;
    const ipAddress = event.ipAddress ? canonicalIp(event.ipAddress) : null;
    if (hostname === null && ipAddress === null) continue;
    const key = hostname ?? `ip ${ipAddress}`;
    const known = hosts.get(key) ?? { hostname, ipAddress, events: 0, occurrences: 0, ambiguous: false, last: event };
    hosts.set(key, {
      ...known,
      events: known.events + 1,
      occurrences: known.occurrences + event.count,
      ambiguous: known.ambiguous || event.tags.includes(AMBIGUOUS_CI),
    });
  }
  return [...hosts.values()];
}

const present = ({ hosts, events, truncated }: UnboundHostsPage) => ({
  body: {
    hosts: hosts.map(({ last, ...host }) => ({
      hostname: host.hostname,
      ip_address: host.ipAddress,
      events: host.events,
      occurrences: host.occurrences,
      ambiguous: host.ambiguous,
      last_event: {
        eventId: eventIdOf(last.id),
        title: last.title,
        severity: last.severity,
        lastOccurrence: iso(last.lastOccurrence),
      },
    })),
    events,
    truncated,
  },
});

export const listUnboundHosts = endpoint<number, UnboundHostsPage>({
  id: 'discovery.unbound-hosts',
  summary: 'List unbound hosts',
  tag: 'Discovery',
  permission: 'events.read',
  mounts: onBoth.get('/discovery/unbound-hosts', UnboundHosts, {
    query: UnboundHostsQuery,
    read: ({ query }) => query.limit,
    present,
  }),
  async handle(limit, { tenant, ports }) {
    const { found, total } = await latestUnbound(ports, tenant);
    const hosts = byHost(found);
    return { hosts: hosts.slice(0, limit), events: total, truncated: hosts.length > limit || found.length < total };
  },
});
