import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { listTopologyChanges } from './changes.ts';
import { getImpact } from './impact.ts';
import { getImpactOfMany } from './impact-of-many.ts';
import { getNeighbourhood } from './neighbourhood.ts';
import { getPath } from './path.ts';

export const topologyEndpoints: readonly AnyEndpoint[] = [
  getNeighbourhood,
  getImpact,
  getImpactOfMany,
  getPath,
  listTopologyChanges,
];
