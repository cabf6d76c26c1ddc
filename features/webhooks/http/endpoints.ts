import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { deliveryEndpoints } from './delivery-endpoints.ts';
import { registrationEndpoints } from './webhook-endpoints.ts';

export const webhooksEndpoints: readonly AnyEndpoint[] = [...registrationEndpoints, ...deliveryEndpoints];
