import { parsed } from '#api/http/routing/exchange.ts';
import { budgetsOf, takeAllowance } from '#api/http/routing/limits.ts';
import { overLimit } from '#api/http/routing/over-limit.ts';
import type { AnyEndpoint, AnyMount, Context } from '#api/surfaces/endpoint.ts';
import type { ToolContext, ToolReply, ToolRequest } from '#api/surfaces/tool.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault } from '#domain/fault.ts';
import type { LimitClass } from '#domain/limit-class.ts';
import { ciNamed } from '#features/questions/use-cases/tools/kinds/cis.ts';

/** Limit class of every message. */
export const MCP_LIMIT = 'query';

/**
 * A copy with explicit members, as getters are lost on a copy. An Idempotency-Key applies to the message, not to
 * requests of its tool.
 */
const contextOf = (context: Context): Context => ({
  ...context,
  signal: context.signal,
  recheck: () => context.recheck(),
  idempotencyKey: null,
  ifMatch: null,
  via: 'mcp',
});

/** Throws Fault `forbidden`. */
const requirePermission = (permission: Permission | null, { caller }: Context): void => {
  if (permission !== null && !caller.permissions.has(permission))
    throw new Fault('forbidden', `Requires permission ${permission}`);
};

/** Prefers a dialect other than `v1`, for its simpler names. */
const mountOf = ({ mounts }: AnyEndpoint): AnyMount => mounts.find(({ on }) => on !== 'v1') ?? (mounts[0] as AnyMount);

/**
 * Counts requests to endpoints of other limit classes; the message itself is counted already. Throws Fault
 * `rate-limited`.
 */
const count = async (
  limit: LimitClass,
  on: AnyMount['on'],
  { caller, tenant, ports, service, receivedAt }: Context,
) => {
  if (limit === MCP_LIMIT) return;
  const budgets = budgetsOf(caller, tenant, limit, on);
  // Unavailable counters never block a request.
  const allowance = await takeAllowance(ports.limiter, budgets, service.limitScale).catch(() => null);
  if (allowance?.state.allowed === false) throw overLimit(allowance, receivedAt);
};

async function replyOf(endpoint: AnyEndpoint, request: ToolRequest, context: Context): Promise<ToolReply> {
  requirePermission(endpoint.permission, context);
  const mount = mountOf(endpoint);
  const { params = {}, query = {}, body, headers = {} } = request;
  const read = {
    path: '',
    params: parsed(mount.params, params),
    query: parsed(mount.query, query),
    body: parsed(mount.body, body),
    headers,
  };
  const { body: shown, page } = mount.present(await endpoint.handle(mount.read(read as never), context), context);
  return { body: shown, total: page?.total ?? null };
}

/**
 * Creates the context of a tool for the caller of the message. Throws Fault `rate-limited` if the limit of its endpoint
 * is exceeded.
 */
export const toolContext = async (endpoint: AnyEndpoint, message: Context): Promise<ToolContext> => {
  const context = contextOf(message);
  await count(endpoint.limit, mountOf(endpoint).on, context);
  return {
    ask: (asked, request) => replyOf(asked, request, context),
    ciNamed: async (text) => {
      requirePermission('cmdb.read', context);
      return (await ciNamed(context, 'ci', text)).id;
    },
    receivedAt: context.receivedAt,
  };
};
