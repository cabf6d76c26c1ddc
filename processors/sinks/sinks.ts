import { reconsider } from '#application/groups/reconsider.ts';
import { takeRows } from '#application/groups/take-rows.ts';
import { paced } from '#application/operations/paced.ts';
import { toldGroup } from '#application/operations/told-group.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';

/** By then events say in which group they are. */
const STANDING_MS = 500;

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

/** Processors of the core that read along and have effects outside the pipeline. */
export const coreSinks: readonly Sink[] = [standing, standingGroups, groupMembers, groupRows];
