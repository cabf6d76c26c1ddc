import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { sourceEndpoints } from './source-endpoints.ts';
import { syncEndpoint } from './sync-endpoint.ts';

export const topologySourceEndpoints: readonly AnyEndpoint[] = [...sourceEndpoints, syncEndpoint];
