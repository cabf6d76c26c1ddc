import { pause } from '#application/records/pause.ts';
import { restMs } from '#domain/pipeline/rest.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { OpenSink } from '#domain/ports/sink.ts';

/** By then merge has decided whether an event is in a group, and what belongs together has come. */
export const DECIDED_MS = 2_000;

/** Takes batches and rests after each, so that a fifth of a core is enough at all times. */
export const paced = (take: OpenSink['take'], { clock }: Pick<Ports, 'clock'>): OpenSink => {
  let lagBefore = 0;
  return {
    async take(batch, about) {
      const since = clock.steady();
      await take(batch, about);
      const rest = restMs(clock.steady() - since, about.lag, lagBefore);
      lagBefore = about.lag;
      if (rest > 0 && !about.signal.aborted) await pause(rest);
    },
  };
};
