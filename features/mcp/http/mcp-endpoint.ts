import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import { MCP_LIMIT } from './ask.ts';

const Id = z.union([z.string().max(256), z.number()]);
const JsonRpcMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: Id.optional().meta({ description: 'Omitted in notifications' }),
    method: z.string().max(256).optional(),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage', example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
const JsonRpcReply = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: Id.nullable(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: 'McpReply' });

interface McpRequest {
  readonly body: z.output<typeof JsonRpcMessage>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}
interface McpAnswer {
  readonly status: number;
  /** Null for notifications. */
  readonly body: unknown;
}

const EMPTY = { type: 'text/plain; charset=utf-8', content: '' };

const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Rejects browser requests from other sites, which could reach a server in the user's network by DNS rebinding. Throws
 * Fault `forbidden`.
 */
const requireOrigin = (origin: string | undefined, ours: readonly string[]): void => {
  if (origin === undefined || LOCAL.test(origin) || ours.includes(origin)) return;
  throw new Fault('forbidden', `Origin ${origin.slice(0, 100)} is not allowed. Add it to FAULTLINE_CORS_ORIGINS`);
};

export const mcpEndpoint = endpoint<McpRequest, McpAnswer>({
  id: 'mcp',
  summary: 'Send a message to the MCP server',
  description:
    'Model Context Protocol, Streamable HTTP, stateless: one JSON-RPC message per request, answered as JSON. Tools require the permissions of the data that they read or change; tools that the caller may not use are not listed.',
  tag: 'AI',
  permission: null,
  anyCredential: true,
  limit: MCP_LIMIT,
  takesLong: true,
  alsoFaults: ['forbidden'],
  mounts: [
    mount({
      on: 'ops',
      method: 'post',
      path: '/mcp',
      body: JsonRpcMessage,
      alsoStatus: [202],
      reply: JsonRpcReply,
      replyType: 'application/json',
      read: ({ body, headers }): McpRequest => ({ body, headers }),
      present: ({ status, body }) => ({ status, body, ...(body === null && { raw: EMPTY }) }),
    }),
  ],
  async handle(message, context) {
    const { baseUrl, service } = context;
    requireOrigin(message.headers.origin, [...service.origins, ...(baseUrl === '' ? [] : [new URL(baseUrl).origin])]);
    // Loaded on first use, as the package would slow down every start.
    const { answerMessage } = await import('./protocol.ts');
    return answerMessage(message, context);
  },
});
