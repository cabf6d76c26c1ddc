import { DECIDED_MS, paced } from '#application/operations/paced.ts';
import { toldGroup } from '#application/operations/told-group.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { takeGroups } from './incidents.ts';
import { takeCreated } from './take-created.ts';

/** Analyses every new event. */
export const analyse: Sink = {
  kind: 'sink',
  name: 'analyse',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    return saved.happened === 'created' ? { happened: 'created', id: saved.event.id } : null;
  },
  delayMs: DECIDED_MS,
  open: (ports) => paced((batch, { lag }) => takeCreated(ports, batch, lag), ports),
};

/** Analyses the causes of groups again, and groups once they are quiet. */
export const analyseGroups: Sink = {
  kind: 'sink',
  name: 'analyse.groups',
  input: correlationChanges,
  told: toldGroup,
  delayMs: DECIDED_MS,
  open: (ports) => paced((batch) => takeGroups(ports, batch), ports),
};
