import { pause } from '#application/records/pause.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { OpenSink } from '#domain/ports/sink.ts';
import { restMs } from '#features/analysis/rules/storm.ts';

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
