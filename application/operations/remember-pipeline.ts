import type { ProcessorStanding, Tally } from '#domain/pipeline/history.ts';
import type { Tallies } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';

type Needed = Pick<Ports, 'operations' | 'clock'> & { readonly memory: Pick<Ports['memory'], 'pipeline'> };

const IDLE: Tally = { read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 };

/** One look at what is measured anyway: nothing is counted for it as events come in. */
export async function rememberPipeline({ operations, clock, memory }: Needed, tallies: Tallies): Promise<void> {
  const [reports, done] = await Promise.all([operations.pipeline(), tallies.processors()]);
  const stages = reports.map(({ name, partitions }): [string, ProcessorStanding] => [
    name,
    {
      tally: done.get(name) ?? IDLE,
      lags: new Map(partitions.map(({ partition, lag }) => [partition, lag])),
    },
  ]);
  memory.pipeline.look(clock.now(), new Map(stages));
}
