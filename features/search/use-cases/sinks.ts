import { DECIDED_MS, paced } from '#application/operations/paced.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { MEMBERS_TOLD } from '#features/search/rules/incident-document.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { takeEvents, takeGroups } from './take-happenings.ts';

/** Makes events fit to be searched: when they are new, and when somebody has said how they were resolved. */
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
  open: (ports) => paced((batch) => takeEvents(ports, batch), ports),
};

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/** Makes groups fit to be searched. A group that has more members than are told of is looked at each time it has doubled. */
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
  open: (ports) => paced((batch) => takeGroups(ports, batch), ports),
};
