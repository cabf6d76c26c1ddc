import type { Limiter, LimitState } from '#domain/ports/limiter.ts';
import type { Caller, CredentialKind, LimitClass, SurfaceName } from './endpoint.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOUR_MINUTES = 60;

/** Requests per minute (specification, "Limits"). */
export const PER_MINUTE: Readonly<Record<Exclude<LimitClass, 'none'>, number>> = {
  ingest: 100,
  bulk: 10,
  webhook: 1000,
  query: 100,
  standard: 100,
  ai: 100,
  'ai-platform': 10,
};

/** /v1 by kind of credential; a discovery token counts as an API key. */
export const BY_CREDENTIAL: Readonly<Record<CredentialKind, { readonly hour: number; readonly burst: number }>> = {
  api_key: { hour: 1000, burst: 100 },
  jwt: { hour: 5000, burst: 500 },
  service_account: { hour: 10_000, burst: 1000 },
  discovery: { hour: 1000, burst: 100 },
};

export interface Budget {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

const isAi = (limit: LimitClass): boolean => limit === 'ai' || limit === 'ai-platform';

/** What was set for this token, else for its tenant. */
const overrideOf = (caller: Caller, limit: LimitClass): number | undefined =>
  caller.limits.token[limit] ?? caller.limits.tenant[limit];

/** An override replaces both numbers and is counted by itself, so that a feed does not use up what queries may do. */
function credentialBudgets(caller: Caller, tenant: string, limit: LimitClass): Budget[] {
  const override = isAi(limit) ? undefined : overrideOf(caller, limit);
  const key = `v1|${tenant}|${caller.credentialId}|${override === undefined ? '' : limit}`;
  const { hour, burst } =
    override === undefined ? BY_CREDENTIAL[caller.kind] : { hour: override * HOUR_MINUTES, burst: override };
  return [
    { key: `${key}|m`, limit: burst, windowMs: MINUTE_MS },
    { key: `${key}|h`, limit: hour, windowMs: HOUR_MS },
  ];
}

function classBudget(caller: Caller, tenant: string, limit: Exclude<LimitClass, 'none'>): Budget {
  const key = isAi(limit) ? `${limit}|${tenant}` : `${limit}|${tenant}|${caller.credentialId}`;
  return { key, limit: overrideOf(caller, limit) ?? PER_MINUTE[limit], windowMs: MINUTE_MS };
}

/** Every budget that a request counts against: by class, and on /v1 by kind of credential (and class only for AI). */
export function budgetsOf(caller: Caller, tenant: string, limit: LimitClass, on: SurfaceName): Budget[] {
  if (limit === 'none') return [];
  if (on !== 'v1') return [classBudget(caller, tenant, limit)];
  const budgets = credentialBudgets(caller, tenant, limit);
  return isAi(limit) ? [...budgets, classBudget(caller, tenant, limit)] : budgets;
}

/** What a request may still do: the budget with the fewest remaining, and whether all allow it. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Epoch ms; when refused, the time at which every budget allows again. */
  readonly resetAt: number;
}

const tightest = (a: LimitState, b: LimitState): LimitState =>
  b.remaining < a.remaining || (b.remaining === a.remaining && b.resetAt > a.resetAt) ? b : a;

const scaled = (limit: number, scale: number): number => Math.max(1, Math.round(limit * scale));

/** Counts a request against all its budgets. Null when nothing limits it (`scale` 0, or no budget). */
export async function takeAllowance(
  limiter: Limiter,
  budgets: readonly Budget[],
  scale: number,
): Promise<Allowance | null> {
  if (scale === 0 || budgets.length === 0) return null;
  const [only] = budgets;
  if (budgets.length === 1 && only) return await limiter.take(only.key, scaled(only.limit, scale), only.windowMs);
  const states = await Promise.all(budgets.map((b) => limiter.take(b.key, scaled(b.limit, scale), b.windowMs)));
  const refused = states.filter((state) => !state.allowed);
  return (refused.length > 0 ? refused : states).reduce(tightest);
}

export const limitHeaders = (allowance: Allowance): Record<string, string> => ({
  'X-RateLimit-Limit': String(allowance.limit),
  'X-RateLimit-Remaining': String(allowance.remaining),
  'X-RateLimit-Reset': String(Math.ceil(allowance.resetAt / 1000)),
});
