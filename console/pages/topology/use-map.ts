import { keepPreviousData } from '@tanstack/react-query';
import { listChanges, readImpact, readNeighbourhood, readWay } from '#console/api/cmdb/topology.ts';
import type { Call } from '#console/api/link/call.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import type { Drawing } from '#console/maps/drawn.ts';
import { count, number } from '#console/text/counts.ts';
import { MANY, MAX_HOPS, type MapQuestion } from './asked.ts';
import { drawnAround, drawnImpact, drawnWay, edgesOf } from './drawings.ts';
import * as text from './texts.ts';

export interface Map {
  readonly drawing: Drawing;
  /** The map in a sentence. */
  readonly words: string;
  readonly services: readonly { readonly id: string; readonly name: string; readonly impact: string }[];
  readonly isCut: boolean;
}

/** Maximum of CIs that fail together whose relationships are requested. */
const MAX_STARTS = 5;
const IMPACT_WORDS = { full_outage: 'down', degraded_functionality: 'degraded' } as const;
const asOf = (at: string | null) => (at === null ? {} : { as_of: at });
/** Returns the direction and types of relationships. */
const along = ({ direction, types, at }: MapQuestion) => ({
  direction,
  ...(types.length > 0 && { types: types.join(',') }),
  ...asOf(at),
});

const edgesAround = async (
  call: Call,
  ids: readonly string[],
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
) => {
  const found = await Promise.all(ids.map((id) => readNeighbourhood(call, id, query, signal)));
  return found.flatMap(edgesOf);
};

const around = async (call: Call, asked: MapQuestion, signal: AbortSignal): Promise<Map> => {
  const { hops, limit } = asked;
  const found = await readNeighbourhood(call, asked.cis[0] ?? '', { hops, limit, ...along(asked) }, signal);
  const drawing = drawnAround(found);
  const others = drawing.nodes.length - 1;
  const words =
    others === 0
      ? text.hasNoRelationships(found.ci.name)
      : text.ofCi(count(others, 'CI'), count(hops, 'hop'), found.ci.name);
  return { drawing: { ...drawing, isCut: found.truncated }, words, services: [], isCut: found.truncated };
};

const impact = async (call: Call, asked: MapQuestion, signal: AbortSignal): Promise<Map> => {
  const { cis, limit, types, at } = asked;
  const below = { hops: MAX_HOPS, limit: MANY, ...along({ ...asked, direction: 'down' }) };
  const [found, edges] = await Promise.all([
    readImpact(call, { ci_ids: cis, limit, ...(types.length > 0 && { types }), ...asOf(at) }, signal),
    edgesAround(call, cis.slice(0, MAX_STARTS), below, signal),
  ]);
  const saved = found.protected.length;
  return {
    drawing: { ...drawnImpact(found, edges), isCut: found.truncated },
    words: `${number(found.total)} impacted${saved === 0 ? '' : text.alsoProtected(number(saved))}`,
    services: found.services.map(({ id, name, impact: how }) => ({ id, name, impact: IMPACT_WORDS[how] })),
    isCut: found.truncated,
  };
};

const way = async (call: Call, asked: MapQuestion, signal: AbortSignal): Promise<Map> => {
  const { cis, to } = asked;
  const found = await readWay(call, { from: cis[0], to, ...along(asked) }, signal);
  // Each step is beside a CI of every second position.
  const places = found.path.filter((_, place) => place % 2 === 0);
  const beside = { hops: 1, limit: MANY, ...along({ ...asked, direction: 'both' }) };
  const edges = await edgesAround(call, places, beside, signal);
  const drawing = drawnWay(found, edges);
  const [first, last] = [found.nodes[0]?.name ?? '', found.nodes.at(-1)?.name ?? ''];
  const words = found.found ? text.fromTo(count(found.hops ?? 0, 'hop'), first, last) : text.noPathBetweenTwo;
  return { drawing, words, services: [], isCut: false };
};

const READERS = { around, impact, way } as const;

/** The map that the address asks for. */
export const useMap = (asked: MapQuestion) => {
  const isReady = asked.cis.length > 0 && (asked.mode !== 'way' || asked.to !== null);
  const map = useRead(['topology', asked], (call, signal) => READERS[asked.mode](call, asked, signal), {
    enabled: isReady,
    placeholderData: keepPreviousData,
  });
  useLive(['topology'], () => isReady && asked.at === null && map.refetch(), undefined, 3_000);
  return { map, isReady };
};

const MAX_CHANGES = 100;

/** Changes nearby since `from`. */
export const useChanges = (near: string | null, from: string) => {
  const changes = useRead(
    ['topology', 'changes', near, from],
    (call, signal) => listChanges(call, { near: near ?? '', hops: 1, from, limit: MAX_CHANGES }, signal),
    { enabled: near !== null, placeholderData: keepPreviousData },
  );
  useLive(['topology'], () => near !== null && changes.refetch(), undefined, 3_000);
  return changes;
};
