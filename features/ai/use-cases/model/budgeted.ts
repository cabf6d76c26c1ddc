import type { ModelRequest, NotCompleted, TokenUsage } from '#domain/ai/model.ts';
import type { AiSettings } from '#domain/ai/settings.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type AiBudget, budgetsFor, costOf, type Prices, takenOf } from '#features/ai/rules/budget.ts';
import { estimateTokens } from '#features/ai/rules/tokens.ts';
import { DAY_MS, dayOf, totalOf } from '#features/ai/rules/usage.ts';
import { usageDays } from '#features/ai/use-cases/usage/read-usage.ts';

export interface BudgetedOptions extends Pick<Ports, 'limiter' | 'records' | 'clock'> {
  readonly prices: Prices;
  readonly settingsOf: (tenant: string) => Promise<AiSettings>;
}

/** Longer than the day that a key names; timers of memory last 24 days at most. */
const WINDOW_MS = 2 * DAY_MS;
const ANY = Number.MAX_SAFE_INTEGER;

const OVER: NotCompleted = {
  failure: 'budget',
  usage: { input: 0, output: 0, estimated: false },
  again: 'never',
  detail: 'tenant budget used up',
};
const TOO_DEAR: NotCompleted = { ...OVER, detail: 'estimated cost exceeds the request limit' };

/** The largest cost of a reply; the real cost is booked afterwards. */
const reservedFor = ({ system, user, schema, tools, maxOutput }: ModelRequest, correction: number): TokenUsage => ({
  input: estimateTokens(system + user + JSON.stringify(schema?.json ?? tools ?? ''), correction),
  output: maxOutput,
  estimated: true,
});

/** Tokens and cost are reserved in the Limiter before and settled after a request; over a budget it is refused. */
export const budgeted = (inner: ModelProvider, options: BudgetedOptions): ModelProvider => {
  const { limiter, records, clock, prices, settingsOf } = options;
  const keyOf = ({ of, isShare }: AiBudget, tenant: string, today: string): string =>
    ['ai-budget', of, isShare ? 'share' : 'all', tenant, today].join('|');

  /** The first request of a day loads the recorded usage: counters restart each day, and in memory at every start. */
  const seed = async (budget: AiBudget, tenant: string, today: string): Promise<void> => {
    const key = keyOf(budget, tenant, today);
    if (budget.isShare || !(await limiter.take(`${key}|seed`, 1, WINDOW_MS)).allowed) return;
    const from = budget.period === 'day' ? today : `${today.slice(0, 7)}-01`;
    const total = totalOf(await usageDays({ records }, tenant, { from, to: today }));
    if (total === null) return;
    const used = budget.of === 'tokens' ? total.input + total.output : Math.ceil(total.cost * 1e6);
    await limiter.take(key, ANY, WINDOW_MS, used);
  };

  /** Counts against all budgets; when one refuses, the others are refunded. */
  const reserve = async (budgets: readonly AiBudget[], tenant: string, today: string, tokens: TokenUsage) => {
    const taken: AiBudget[] = [];
    for (const budget of budgets) {
      await seed(budget, tenant, today);
      const { allowed } = await limiter.take(
        keyOf(budget, tenant, today),
        budget.limit,
        WINDOW_MS,
        takenOf(budget, tokens, prices),
      );
      if (!allowed) {
        await giveBack(taken, tenant, today, tokens, { input: 0, output: 0, estimated: false });
        return false;
      }
      taken.push(budget);
    }
    return true;
  };

  const giveBack = async (
    budgets: readonly AiBudget[],
    tenant: string,
    today: string,
    reserved: TokenUsage,
    used: TokenUsage,
  ): Promise<void> => {
    for (const budget of budgets) {
      const difference = takenOf(budget, used, prices) - takenOf(budget, reserved, prices);
      if (difference !== 0) await limiter.take(keyOf(budget, tenant, today), ANY, WINDOW_MS, difference);
    }
  };

  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      const { tenant, isAutomatic } = request.purpose;
      const today = dayOf(clock.now());
      const budgets = budgetsFor(await settingsOf(tenant), isAutomatic);
      const reserved = reservedFor(request, inner.correction());
      if (costOf(prices, reserved) > (request.maxCost ?? Number.POSITIVE_INFINITY)) return TOO_DEAR;
      if (!(await reserve(budgets, tenant, today, reserved))) return OVER;
      const reply = await inner.complete(request, signal);
      await giveBack(budgets, tenant, today, reserved, reply.usage);
      return reply;
    },
  };
};
