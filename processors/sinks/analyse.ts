import { takeGroups } from '#application/analysis/incidents.ts';
import { takeCreated } from '#application/analysis/take-created.ts';
import { pause } from '#application/records/pause.ts';
import { restMs } from '#domain/analysis/storm.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { OpenSink, Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { toldGroup } from './told-group.ts';

/** By then merge has decided whether the event is in a group. */
const DELAY_MS = 2_000;

/** Takes batches and rests after each, so that a fifth of a core is enough at all times. */
const paced = (take: OpenSink['take'], { clock }: Pick<Ports, 'clock'>): OpenSink => {
  let lagBefore = 0;
  return {
    async take(batch, about) {
      const since = clock.now();
      await take(batch, about);
      const rest = restMs(clock.now() - since, about.lag, lagBefore);
      lagBefore = about.lag;
      if (rest > 0 && !about.signal.aborted) await pause(rest);
    },
  };
};

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
