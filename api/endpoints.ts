import { agentEndpoints } from '#features/agents/http/endpoints.ts';
import { aiEndpoints } from '#features/ai/http/endpoints.ts';
import { analyzerEndpoints } from '#features/analyzer/http/endpoints.ts';
import { changeEndpoints } from '#features/change-risk/http/endpoints.ts';
import { discoveryEndpoints } from '#features/discovery/http/endpoints.ts';
import { insightEndpoints } from '#features/insights/http/endpoints.ts';
import { proposalEndpoints } from '#features/proposals/http/endpoints.ts';
import { chatEndpoints } from '#features/questions/http/endpoints.ts';
import { reportEndpoints } from '#features/reports/http/endpoints.ts';
import { serviceEndpoints } from '#features/services/http/endpoints.ts';
import { transferEndpoints } from '#features/transfer/http/endpoints.ts';
import { webhooksEndpoints } from '#features/webhooks/http/endpoints.ts';
import { adminEndpoints } from './admin/endpoints.ts';
import { authEndpoints } from './auth/endpoints.ts';
import { addressEndpoints, cmdbEndpoints } from './cmdb/endpoints.ts';
import { eventEndpoints } from './events/endpoints.ts';
import { groupEndpoints } from './groups/endpoints.ts';
import { liveEndpoints } from './live/endpoints.ts';
import { meEndpoints } from './me/endpoints.ts';
import { opsEndpoints } from './ops/ops.ts';
import type { AnyEndpoint } from './surfaces/endpoint.ts';
import { topologyEndpoints } from './topology/endpoints.ts';

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
