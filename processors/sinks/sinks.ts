import { reconsider } from '#application/groups/reconsider.ts';
import { takeRows } from '#application/groups/take-rows.ts';
import { groupSinkEvent } from '#application/operations/group-sink-event.ts';
import { paced } from '#application/operations/paced.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';

/** Time after which events contain their group. */
const STANDING_MS = 500;
/** Interval at which a group is processed, for any number of changes, ms. */
const EVERY_MS = 1_000;

/**
 * Updates the services affected by groups, and the validity of acknowledgments for the worst severity: from changes of
 * members.
 */
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
  everyMs: EVERY_MS,
  open: (ports) => paced((batch) => reconsider(ports, batch), ports),
};

/** The same by who joins them. */
const standingGroups: Sink = {
  kind: 'sink',
  name: 'standing.groups',
  input: correlationChanges,
  told: groupSinkEvent,
  delayMs: STANDING_MS,
  everyMs: EVERY_MS,
  open: (ports) => paced((batch) => reconsider(ports, batch), ports),
};

/** True for occurrences that change the group of their event. */
const changesGroup = (saved: Extract<Saved, { readonly event: unknown }>): boolean =>
  saved.happened !== 'repeated' || saved.again !== undefined || saved.previousStatus !== undefined;

/** Updates the lists of groups with the changes of their members. */
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
  everyMs: EVERY_MS,
  isForEngines: true,
  open: (ports) => paced((batch) => takeRows(ports, batch), ports),
};

/** The same with the changes of the groups themselves. */
const groupRows: Sink = {
  kind: 'sink',
  name: 'group.rows',
  input: correlationChanges,
  told: groupSinkEvent,
  delayMs: 0,
  everyMs: EVERY_MS,
  isForEngines: true,
  open: (ports) => paced((batch) => takeRows(ports, batch), ports),
};

/** Processors of the core that read along and have effects outside the pipeline. */
export const coreSinks: readonly Sink[] = [standing, standingGroups, groupMembers, groupRows];
