import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { classifyService } from './classify.ts';
import { discoverService } from './discover.ts';
import { enrichService } from './enrich.ts';
import { infrastructureEndpoints } from './infrastructure-endpoints.ts';
import { insightsIntoService } from './insights.ts';
import { progressStream } from './progress-endpoint.ts';
import { getServiceAnalysis, saveFoundService } from './save.ts';

/** Endpoints from a description, or the whole CMDB, to a business service. */
export const analyzerEndpoints: readonly AnyEndpoint[] = [
  enrichService,
  discoverService,
  classifyService,
  insightsIntoService,
  saveFoundService,
  getServiceAnalysis,
  ...infrastructureEndpoints,
  progressStream,
];
