import type { SurfaceName } from '#api/surfaces/endpoint.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { CountedClass, CredentialKind, LimitClass } from '#domain/limit-class.ts';
import type { Limiter, LimitState } from '#domain/ports/limiter.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOUR_MINUTES = 60;

/** Requests per minute (docs/specification.md §14). */
export const PER_MINUTE: Readonly<Record<CountedClass, number>> = {
  ingest: 100,
  bulk: 10,
  webhook: 1000,
  query: 100,
  standard: 100,
  ai: 100,
  'ai-platform': 10,
  // Reading and changing limits is counted by itself, so that a credential whose minute is spent can still mend that.
  limits: 60,
};

/** /v1 by kind of credential; a discovery token counts as an API key. */
export const BY_CREDENTIAL: Readonly<Record<CredentialKind, { readonly hour: number; readonly burst: number }>> = {
  api_key: { hour: 1000, burst: 100 },
  jwt: { hour: 5000, burst: 500 },
  service_account: { hour: 10_000, burst: 1000 },
  integration: { hour: 1000, burst: 100 },
  discovery: { hour: 1000, burst: 100 },
};

/** Limits for users who read lists and page through them; a user has those of /v1. */
export const OF_USERS = ['query', 'standard'] as const;
const isOfUsers = (limit: LimitClass): boolean => OF_USERS.some((one) => one === limit);

/** Returns the limit per minute of this kind of credential, where nothing else was set. */
export const perMinuteOf = (kind: CredentialKind, limit: CountedClass): number =>
  kind === 'jwt' && isOfUsers(limit) ? BY_CREDENTIAL.jwt.burst : PER_MINUTE[limit];

/** A limit class, or on /v1 the kind of credential whose number counts. */
type BudgetClass = CountedClass | CredentialKind;

export interface Budget {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly class: BudgetClass;
  readonly per: 'minute' | 'hour';
}

/** The AI classes are shared by all credentials of a tenant. */
export const isCountedByTenant = (limit: LimitClass): boolean => limit === 'ai' || limit === 'ai-platform';

/** The limits set for this token, else for its tenant. */
const overrideOf = (caller: Caller, limit: LimitClass): number | undefined =>
  caller.limits.token[limit] ?? caller.limits.tenant[limit];

/** An override replaces both numbers and is counted by itself, so that a feed does not use up what queries may do. */
function credentialBudgets(caller: Caller, tenant: string, limit: CountedClass): Budget[] {
  const override = isCountedByTenant(limit) ? undefined : overrideOf(caller, limit);
  const key = `v1|${tenant}|${caller.credentialId}|${override === undefined ? '' : limit}`;
  const { hour, burst } =
    override === undefined ? BY_CREDENTIAL[caller.kind] : { hour: override * HOUR_MINUTES, burst: override };
  const named = override === undefined ? caller.kind : limit;
  return [
    { key: `${key}|m`, limit: burst, windowMs: MINUTE_MS, class: named, per: 'minute' },
    { key: `${key}|h`, limit: hour, windowMs: HOUR_MS, class: named, per: 'hour' },
  ];
}

function classBudget(caller: Caller, tenant: string, limit: CountedClass): Budget {
  const key = isCountedByTenant(limit) ? `${limit}|${tenant}` : `${limit}|${tenant}|${caller.credentialId}`;
  const perMinute = overrideOf(caller, limit) ?? perMinuteOf(caller.kind, limit);
  return { key, limit: perMinute, windowMs: MINUTE_MS, class: limit, per: 'minute' };
}

/** Every budget that a request counts against: by class, and on /v1 by kind of credential (and class only for AI). */
export function budgetsOf(caller: Caller, tenant: string, limit: LimitClass, on: SurfaceName): Budget[] {
  if (limit === 'none') return [];
  if (on !== 'v1') return [classBudget(caller, tenant, limit)];
  const budgets = credentialBudgets(caller, tenant, limit);
  return isCountedByTenant(limit) ? [...budgets, classBudget(caller, tenant, limit)] : budgets;
}

/** The budget with the fewest requests remaining, and whether all budgets allow one more. */
export interface Allowance {
  readonly budget: Budget;
  /** `resetAt` in epoch ms; when refused, the time at which every budget allows again. */
  readonly state: LimitState;
}

const tightest = (a: Allowance, b: Allowance): Allowance =>
  b.state.remaining < a.state.remaining ||
  (b.state.remaining === a.state.remaining && b.state.resetAt > a.state.resetAt)
    ? b
    : a;

/** A number as it counts under FAULTLINE_LIMIT_SCALE. */
export const scaled = (limit: number, scale: number): number => Math.max(1, Math.round(limit * scale));

/** Counts a request against all its budgets. Null when nothing limits it (`scale` 0, or no budget). */
export async function takeAllowance(
  limiter: Limiter,
  budgets: readonly Budget[],
  scale: number,
): Promise<Allowance | null> {
  if (scale === 0 || budgets.length === 0) return null;
  const take = async (budget: Budget): Promise<Allowance> => ({
    budget,
    state: await limiter.take(budget.key, scaled(budget.limit, scale), budget.windowMs),
  });
  const [only] = budgets;
  if (budgets.length === 1 && only) return take(only);
  const taken = await Promise.all(budgets.map(take));
  const refused = taken.filter(({ state }) => !state.allowed);
  return (refused.length > 0 ? refused : taken).reduce(tightest);
}

export const limitHeaders = ({ state }: Allowance): Record<string, string> => ({
  'X-RateLimit-Limit': String(state.limit),
  'X-RateLimit-Remaining': String(state.remaining),
  'X-RateLimit-Reset': String(Math.ceil(state.resetAt / 1000)),
});
