import { reconsider } from '#application/groups/reconsider.ts';
import { takeRows } from '#application/groups/take-rows.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink, Told } from '#domain/ports/sink.ts';
import { takeGroups } from '#features/analysis/use-cases/incidents.ts';
import { takeCreated } from '#features/analysis/use-cases/take-created.ts';
import { MEMBERS_TOLD } from '#features/search/rules/incident-document.ts';
import { takeEvents, takeGroups as takeSearchedGroups } from '#features/search/use-cases/take-happenings.ts';
import { isTrouble, isUnheardOf } from '#features/webhooks/rules/heard.ts';
import { tellEvents, tellGroupChanges } from '#features/webhooks/use-cases/sources/happenings.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { paced } from './paced.ts';

/** The happening for sinks of groups of a record of `correlation.changes`. */
const toldGroup = (value: unknown): Told => {
  const { group, kind } = value as GroupChange;
  return { happened: 'group', id: group.id, change: kind };
};

/** By then merge has decided whether an event is in a group, and what belongs together has come. */
const DELAY_MS = 2_000;
/** By then events say in which group they are. */
const STANDING_MS = 500;

/** Analyses every new event. */
const analyse: Sink = {
  kind: 'sink',
  name: 'analyse',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    return saved.happened === 'created' ? { happened: 'created', id: saved.event.id } : null;
  },
  delayMs: DELAY_MS,
  open: (ports) => paced((batch, { lag }) => takeCreated(ports, batch, lag), ports),
};

/** Analyses the causes of groups again, and groups once they are quiet. */
const analyseGroups: Sink = {
  kind: 'sink',
  name: 'analyse.groups',
  input: correlationChanges,
  told: toldGroup,
  delayMs: DELAY_MS,
  open: (ports) => paced((batch) => takeGroups(ports, batch), ports),
};

/** Tells webhooks of events. */
export const notify: Sink = {
  kind: 'sink',
  name: 'notify',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten') return null;
    const { event, previousStatus } = saved;
    const { id, status } = event;
    if (saved.happened === 'created') return status === 'suppressed' ? null : { happened: 'created', id };
    if (previousStatus === undefined) return null;
    if (!isUnheardOf(event)) return { happened: 'status', id, previousStatus };
    return isTrouble(status) ? { happened: 'created', id, wasSuppressed: true } : null;
  },
  delayMs: 0,
  open: (ports) => ({ take: (batch) => tellEvents(ports, batch) }),
};

/** Tells webhooks of groups. */
const notifyGroups: Sink = {
  kind: 'sink',
  name: 'notify.groups',
  input: correlationChanges,
  told: toldGroup,
  delayMs: 0,
  open: (ports) => ({ take: (batch) => tellGroupChanges(ports, batch) }),
};

/** Makes events fit to be searched: when they are new, and when somebody has said how they were resolved. */
const search: Sink = {
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
  delayMs: DELAY_MS,
  open: (ports) => paced((batch) => takeEvents(ports, batch), ports),
};

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/** Makes groups fit to be searched. A group that has more members than are told of is looked at each time it has doubled. */
const searchGroups: Sink = {
  kind: 'sink',
  name: 'search.groups',
  input: correlationChanges,
  told(value) {
    const { group, kind } = value as GroupChange;
    const isTold = kind !== 'joined' || group.size <= MEMBERS_TOLD || isPowerOfTwo(group.size);
    return isTold ? { happened: 'group', id: group.id, change: kind } : null;
  },
  delayMs: DELAY_MS,
  open: (ports) => paced((batch) => takeSearchedGroups(ports, batch), ports),
};

/** Notes which services groups hit, and whether who acknowledged them still knows the worst: by what becomes of members. */
const standing: Sink = {
  kind: 'sink',
  name: 'standing',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten' || saved.event.correlationId === null) return null;
    const { event, previousStatus, again, left } = saved;
    if (left !== undefined) return { happened: 'group', id: left, change: 'split' };
    if (previousStatus !== undefined) return { happened: 'status', id: event.id, previousStatus };
    return again === 'escalated' ? { happened: 'group', id: event.correlationId ?? '', change: 'joined' } : null;
  },
  delayMs: 0,
  open: (ports) => paced((batch) => reconsider(ports, batch), ports),
};

/** The same by who joins them. */
const standingGroups: Sink = {
  kind: 'sink',
  name: 'standing.groups',
  input: correlationChanges,
  told: toldGroup,
  delayMs: STANDING_MS,
  open: (ports) => paced((batch) => reconsider(ports, batch), ports),
};

/** Of the occurrences of one event only those tell its group anything that change what it is. */
const changesGroup = (saved: Extract<Saved, { readonly event: unknown }>): boolean =>
  saved.happened !== 'repeated' || saved.again !== undefined || saved.previousStatus !== undefined;

/** Keeps the lists of groups up to date with what becomes of their members. */
const groupMembers: Sink = {
  kind: 'sink',
  name: 'group.members',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten' || saved.event.correlationId === null || !changesGroup(saved)) return null;
    return { happened: 'group', id: saved.event.correlationId, change: 'joined' };
  },
  delayMs: 0,
  isForEngines: true,
  open: (ports) => paced((batch) => takeRows(ports, batch), ports),
};

/** The same with what becomes of the groups themselves. */
const groupRows: Sink = {
  kind: 'sink',
  name: 'group.rows',
  input: correlationChanges,
  told: toldGroup,
  delayMs: 0,
  isForEngines: true,
  open: (ports) => paced((batch) => takeRows(ports, batch), ports),
};

/** Processors that read along and have effects outside the pipeline. */
export const sinks: readonly Sink[] = [
  analyse,
  analyseGroups,
  notify,
  notifyGroups,
  search,
  searchGroups,
  standing,
  standingGroups,
  groupMembers,
  groupRows,
];
