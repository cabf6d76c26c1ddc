import { page } from './page.ts';

export const metrics = page({
  id: 'ops.metrics',
  path: '/metrics',
  summary: 'Measurements for Prometheus',
  type: 'text/plain; version=0.0.4; charset=utf-8',
  content: ({ service }) => service.metrics(),
});

export const openapi = page({
  id: 'ops.openapi',
  path: '/openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document',
  type: 'application/json; charset=utf-8',
  content: async ({ service }) => service.openapi(),
});
