import { adminEndpoints } from './admin/endpoints.ts';
import { authEndpoints } from './auth/endpoints.ts';
import { addressEndpoints, cmdbEndpoints } from './cmdb/endpoints.ts';
import { eventEndpoints } from './events/endpoints.ts';
import { groupEndpoints } from './groups/endpoints.ts';
import { liveEndpoints } from './live/endpoints.ts';
import { meEndpoints } from './me/endpoints.ts';
import type { AnyEndpoint } from './surfaces/endpoint.ts';
import { topologyEndpoints } from './topology/endpoints.ts';

/** Answered by the core, besides what operators ask. */
export const coreEndpoints: readonly AnyEndpoint[] = [
  ...authEndpoints,
  ...meEndpoints,
  ...adminEndpoints,
  ...eventEndpoints,
  ...groupEndpoints,
  ...cmdbEndpoints,
  ...topologyEndpoints,
  ...addressEndpoints,
  ...liveEndpoints,
];
