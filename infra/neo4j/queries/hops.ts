/** Patterns of hops; the server walks them breadth first, because all edges run from source to target. */
import type { Direction } from '#domain/topology/topology.ts';
import type { Values } from '#infra/neo4j/client/client.ts';

export interface Steps {
  readonly direction: Direction;
  /** Empty or absent: any. */
  readonly types?: readonly string[];
  /** Epoch ms, literally; absent for the present. */
  readonly asOf?: number;
}

const MAX_HOPS = 100;

/** A bound must be written into the query, so it is made sure of here that it is a number. */
export const bound = (hops: number): number => Math.max(1, Math.min(MAX_HOPS, Math.trunc(hops)));

const hasTypes = ({ types }: Steps): boolean => types !== undefined && types.length > 0;

export const edgeTypes = ({ asOf }: Steps): string => (asOf === undefined ? 'RELATES' : 'RELATES|RELATED');

/** The condition on an edge `r`; a proposed one never fulfils it. */
export const edgeCondition = (steps: Steps): string =>
  [
    'r.ai = false',
    ...(hasTypes(steps) ? ['r.type IN $types'] : []),
    ...(steps.asOf === undefined ? [] : ['r.valid_from <= $asOf AND (r.valid_to IS NULL OR r.valid_to > $asOf)']),
  ].join(' AND ');

export const stepValues = (steps: Steps): Values => ({
  ...(hasTypes(steps) && { types: steps.types }),
  ...(steps.asOf !== undefined && { asOf: steps.asOf }),
});

/** `up` leads from source to target. */
export const arrow = (direction: Direction, edge: string): string =>
  `${direction === 'down' ? '<' : ''}-[${edge}]-${direction === 'up' ? '>' : ''}`;

/** Returns the pattern from `a` to `b` over 1 to `hops` edges. */
export function hopPattern(steps: Steps, hops: number): string {
  const edge = `r:${edgeTypes(steps)} WHERE ${edgeCondition(steps)}`;
  return `(a) (()${arrow(steps.direction, edge)}()){1,${bound(hops)}} (b)`;
}
