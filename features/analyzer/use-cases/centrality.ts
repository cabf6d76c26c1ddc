import { pause } from '#application/records/pause.ts';
import { float64At } from '#domain/assert.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { betweenness } from '#features/analyzer/rules/graph/betweenness.ts';
import type { ServiceGraph } from '#features/analyzer/rules/servers/service-graph.ts';

/** Maximum time for which a step blocks others, ms. */
const TURN_MS = 10;

/** Runs the steps to their end, and lets others run in between. */
async function inTurns<T>(steps: Generator<undefined, T>, clock: Clock): Promise<T> {
  let since = clock.steady();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.steady() - since < TURN_MS) continue;
    await pause(0);
    since = clock.steady();
  }
}

/** Betweenness by the id of the server, 0 to 1. */
export async function centralityOf({ ids, undirected }: ServiceGraph, clock: Clock): Promise<(id: string) => number> {
  const values = await inTurns(betweenness(undirected), clock);
  const byId = new Map(ids.map((id, place) => [id, float64At(values, place)]));
  return (id) => byId.get(id) ?? 0;
}
