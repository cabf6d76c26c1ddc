import { byTenant } from '#application/operations/by-tenant.ts';
import { DECIDED_MS, paced } from '#application/operations/paced.ts';
import { searchDue } from '#application/records/search-due.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Sink, SinkEvent } from '#domain/ports/sink.ts';
import { slices } from '#domain/slices.ts';
import { MEMBERS_TOLD } from '#features/search/rules/incident-document.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { indexEvents } from './index-events.ts';

/** Events read at once. */
const AT_ONCE = 500;
/** A complaint has one document for all its events within this time, ms. */
const EVERY_MS = 5_000;

/** Makes new and resolved events fit to be searched. */
const takeEvents = (ports: Ports, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, own) => {
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const some of slices(ids, AT_ONCE)) await indexEvents(ports, tenant, await ports.events.getMany(tenant, some));
  });

/** Records changed groups; the index job does the rest. */
const takeGroups = (ports: Ports, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, own) => {
    const refs = [...new Set(own.map(({ id }) => id))].map((id) => ({ kind: 'incident', id }) as const);
    const { kind, id, body } = searchDue(ports, tenant, refs);
    await ports.records.put(SYSTEM_TENANT, kind, id, body);
  });

/** Indexes events: new ones, and ones with new resolution notes. */
export const search: Sink = {
  kind: 'sink',
  name: 'search',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten') return null;
    const { id, status, resolutionNotes, resolvedBy } = saved.event;
    if (saved.happened === 'created') return { happened: 'created', id };
    const { previousStatus } = saved;
    const isExplained =
      previousStatus !== undefined &&
      status === 'resolved' &&
      resolvedBy !== undefined &&
      resolutionNotes !== undefined;
    return isExplained ? { happened: 'status', id, previousStatus } : null;
  },
  delayMs: DECIDED_MS,
  everyMs: EVERY_MS,
  open: (ports) => paced((batch) => takeEvents(ports, batch), ports),
};

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/** Indexes groups. A group with more members than a document shows is read again each time it has doubled. */
export const searchGroups: Sink = {
  kind: 'sink',
  name: 'search.groups',
  input: correlationChanges,
  told(value) {
    const { group, kind } = value as GroupChange;
    const isTold = kind !== 'joined' || group.size <= MEMBERS_TOLD || isPowerOfTwo(group.size);
    return isTold ? { happened: 'group', id: group.id, change: kind } : null;
  },
  delayMs: DECIDED_MS,
  everyMs: EVERY_MS,
  open: (ports) => paced((batch) => takeGroups(ports, batch), ports),
};
