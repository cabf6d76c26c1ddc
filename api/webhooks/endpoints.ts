import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { registrationEndpoints } from './webhook-endpoints.ts';

export const webhooksEndpoints: readonly AnyEndpoint[] = [...registrationEndpoints];
