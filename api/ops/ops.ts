import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { asyncapi } from './asyncapi.ts';
import { consoleEndpoints } from './console.ts';
import { docs } from './docs.ts';
import { livez, readyz } from './health.ts';
import { metrics, openapi, root } from './texts.ts';

/** Operation pages: at the root, without credential. */
export const opsEndpoints: readonly AnyEndpoint[] = [
  root,
  livez,
  readyz,
  metrics,
  openapi,
  asyncapi,
  ...docs,
  ...consoleEndpoints,
];
