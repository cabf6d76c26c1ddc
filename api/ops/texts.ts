import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { page } from './page.ts';

export const metrics = page({
  id: 'ops.metrics',
  path: '/metrics',
  summary: 'Get Prometheus metrics',
  type: 'text/plain; version=0.0.4; charset=utf-8',
  content: ({ service }) => service.metrics(),
});

export const openapi = page({
  id: 'ops.openapi',
  path: '/openapi.json',
  summary: 'Get the OpenAPI 3.1 document',
  type: 'application/json; charset=utf-8',
  content: async ({ service }) => service.openapi(),
});

/** The page of the address in a browser; relative where a proxy may have removed a part of the address. */
export const root = endpoint({
  id: 'ops.root',
  summary: 'Redirect to the console or API reference',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  mounts: on.ops.get('/', {
    status: 302,
    replyHeaders: ['Location'],
    reply: z.string(),
    replyType: 'text/plain; charset=utf-8',
    read: () => undefined,
    present: (_, { baseUrl, service }) => {
      const page = service.console === null ? '/docs' : '/ui/';
      return {
        status: 302,
        headers: { Location: baseUrl === '' && service.console !== null ? 'ui/' : `${baseUrl}${page}` },
        raw: { type: 'text/plain; charset=utf-8', content: `See ${page}\n` },
        body: undefined,
      };
    },
  }),
  handle: async () => undefined,
});
