import { inSteps } from '#application/tasks/in-steps.ts';
import { float64At } from '#domain/assert.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { betweenness } from '#features/analyzer/rules/graph/betweenness.ts';
import type { ServiceGraph } from '#features/analyzer/rules/servers/service-graph.ts';

/** Betweenness by the id of the server, 0 to 1. */
export async function centralityOf({ ids, undirected }: ServiceGraph, clock: Clock): Promise<(id: string) => number> {
  const values = await inSteps(betweenness(undirected), clock);
  const byId = new Map(ids.map((id, place) => [id, float64At(values, place)]));
  return (id) => byId.get(id) ?? 0;
}
