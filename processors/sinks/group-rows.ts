import { takeRows } from '#application/groups/take-rows.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { paced } from './paced.ts';
import { toldGroup } from './told-group.ts';

/** Of the occurrences of one event only those tell its group anything that change what it is. */
const changesGroup = (saved: Extract<Saved, { readonly event: unknown }>): boolean =>
  saved.happened !== 'repeated' || saved.again !== undefined || saved.previousStatus !== undefined;

/** Keeps the lists of groups up to date with what becomes of their members. */
export const groupMembers: Sink = {
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
export const groupRows: Sink = {
  kind: 'sink',
  name: 'group.rows',
  input: correlationChanges,
  told: toldGroup,
  delayMs: 0,
  isForEngines: true,
  open: (ports) => paced((batch) => takeRows(ports, batch), ports),
};
