import { float64At } from '#domain/known.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { ServiceGraph } from '#domain/services/analyzer/service-graph.ts';
import { betweenness } from '#domain/services/graph/betweenness.ts';
import { inTurns } from './in-turns.ts';

/** Betweenness by the id of the server, 0 to 1. */
export async function centralityOf({ ids, undirected }: ServiceGraph, clock: Clock): Promise<(id: string) => number> {
  const values = await inTurns(betweenness(undirected), clock);
  const byId = new Map(ids.map((id, place) => [id, float64At(values, place)]));
  return (id) => byId.get(id) ?? 0;
}
