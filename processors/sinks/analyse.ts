import { takeGroups } from '#application/analysis/incidents.ts';
import { takeCreated } from '#application/analysis/take-created.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { paced } from './paced.ts';
import { toldGroup } from './told-group.ts';

/** By then merge has decided whether the event is in a group. */
const DELAY_MS = 2_000;

/** Analyses every new event. */
export const analyse: Sink = {
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
export const analyseGroups: Sink = {
  kind: 'sink',
  name: 'analyse.groups',
  input: correlationChanges,
  told: toldGroup,
  delayMs: DELAY_MS,
  open: (ports) => paced((batch) => takeGroups(ports, batch), ports),
};
