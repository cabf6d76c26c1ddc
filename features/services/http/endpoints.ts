import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { dependencyEndpoints } from './dependency-endpoints.ts';
import { recordEndpoints } from './service-endpoints.ts';

export const serviceEndpoints: readonly AnyEndpoint[] = [...recordEndpoints, ...dependencyEndpoints];
