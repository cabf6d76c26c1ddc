import { listCis } from '#api/cmdb/list-cis.ts';
import { parsed } from '#api/http/routing/exchange.ts';
import { budgetsOf, takeAllowance } from '#api/http/routing/limits.ts';
import { overLimit } from '#api/http/routing/over-limit.ts';
import type { AnyEndpoint, AnyMount, Context } from '#api/surfaces/endpoint.ts';
import type { ToolContext, ToolReply, ToolRequest } from '#api/surfaces/tool.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { LimitClass } from '#domain/limit-class.ts';

/** The class that counts every message. */
export const MCP_LIMIT = 'query';

/** A copy, because its getters do not work on another object. An Idempotency-Key belongs to the message, not to the tool's request. */
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

/** The dialect with the plainest names. */
const mountOf = ({ mounts }: AnyEndpoint): AnyMount => mounts.find(({ on }) => on !== 'v1') ?? (mounts[0] as AnyMount);

/** The message itself is counted; a call of an endpoint of another class counts there, too. Throws Fault `rate-limited`. */
const count = async (
  limit: LimitClass,
  on: AnyMount['on'],
  { caller, tenant, ports, service, receivedAt }: Context,
) => {
  if (limit === MCP_LIMIT) return;
  const budgets = budgetsOf(caller, tenant, limit, on);
  // An unreachable counter lets the call pass, like a request.
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

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** CIs among which one of exactly this name is looked for. */
const MAX_NAMED = 100;

type NamedCis = readonly { readonly _id: string; readonly name: string }[];

const ciNamed = async (text: string, context: Context): Promise<string> => {
  if (ULID.test(text)) return text;
  const query = { search: text, limit: String(MAX_NAMED) };
  const { body } = await replyOf(listCis, { query }, context);
  const same = (body as NamedCis).filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (same.length > 1)
    throw invalid('ci', `${same.length} CIs have this name. Use an ID: ${same.map(({ _id }) => _id).join(', ')}`);
  return same[0]?._id ?? text;
};

/** The context of a tool, for the caller of the message. Throws Fault `rate-limited` when the class of its endpoint is used up. */
export const toolContext = async (endpoint: AnyEndpoint, message: Context): Promise<ToolContext> => {
  const context = contextOf(message);
  await count(endpoint.limit, mountOf(endpoint).on, context);
  return {
    ask: (asked, request) => replyOf(asked, request, context),
    ciNamed: (text) => ciNamed(text, context),
    receivedAt: context.receivedAt,
  };
};
