import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { analyzeRelationships } from './analyze.ts';
import { discover } from './discover.ts';
import { recordEndpoints } from './proposal-endpoints.ts';

export const proposalEndpoints: readonly AnyEndpoint[] = [analyzeRelationships, discover, ...recordEndpoints];
