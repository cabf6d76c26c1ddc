import { adminEndpoints } from './admin/endpoints.ts';
import { agentEndpoints } from './agents/endpoints.ts';
import { aiEndpoints } from './ai/endpoints.ts';
import { analyzerEndpoints } from './analyzer/endpoints.ts';
import { authEndpoints } from './auth/endpoints.ts';
import { changeEndpoints } from './changes/endpoints.ts';
import { chatEndpoints } from './chat/endpoints.ts';
import { addressEndpoints, cmdbEndpoints } from './cmdb/endpoints.ts';
import { discoveryEndpoints } from './discovery/endpoints.ts';
import { eventEndpoints } from './events/endpoints.ts';
import { groupEndpoints } from './groups/endpoints.ts';
import { insightEndpoints } from './insights/endpoints.ts';
import { liveEndpoints } from './live/endpoints.ts';
import { meEndpoints } from './me/endpoints.ts';
import { opsEndpoints } from './ops/ops.ts';
import { proposalEndpoints } from './proposals/endpoints.ts';
import { reportEndpoints } from './reports/endpoints.ts';
import { serviceEndpoints } from './services/endpoints.ts';
import type { AnyEndpoint } from './surfaces/endpoint.ts';
import { topologyEndpoints } from './topology/endpoints.ts';
import { transferEndpoints } from './transfer/endpoints.ts';
import { webhooksEndpoints } from './webhooks/endpoints.ts';

/** Everything the service answers; read by the router, the documents, the limits and the conformance test. */
export const endpoints: readonly AnyEndpoint[] = [
  ...authEndpoints,
  ...meEndpoints,
  ...adminEndpoints,
  ...eventEndpoints,
  ...groupEndpoints,
  ...cmdbEndpoints,
  ...topologyEndpoints,
  ...addressEndpoints,
  ...transferEndpoints,
  ...discoveryEndpoints,
  ...serviceEndpoints,
  ...aiEndpoints,
  ...insightEndpoints,
  ...webhooksEndpoints,
  ...proposalEndpoints,
  ...changeEndpoints,
  ...analyzerEndpoints,
  ...reportEndpoints,
  ...agentEndpoints,
  ...chatEndpoints,
  ...liveEndpoints,
  ...opsEndpoints,
];
