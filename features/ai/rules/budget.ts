import type { AiSettings } from '#domain/ai/settings.ts';

/** Micro-units of the currency: the counters of the Limiter are whole numbers. */
const MICRO = 1_000_000;
const PER_MILLION = 1_000_000;

/** Prices per million tokens, in any currency; null: unknown. */
export interface Prices {
  readonly input: number | null;
  readonly output: number | null;
}

/** 0 when no price is known. */
export const costOf = (
  { input, output }: Prices,
  tokens: { readonly input: number; readonly output: number },
): number => ((input ?? 0) * tokens.input + (output ?? 0) * tokens.output) / PER_MILLION;

/** One number that a request counts against. */
export interface AiBudget {
  readonly of: 'tokens' | 'cost';
  readonly period: 'day' | 'month';
  /** Only unrequested usage counts. */
  readonly isShare: boolean;
  /** Whole: tokens, or micro-units of the currency. */
  readonly limit: number;
}

/** The budgets that a request counts against. */
export const budgetsFor = (
  { dailyTokens, monthlyCost, analysisShare }: AiSettings,
  isAutomatic: boolean,
): readonly AiBudget[] => {
  const tokens: AiBudget = { of: 'tokens', period: 'day', isShare: false, limit: dailyTokens };
  const cost: readonly AiBudget[] =
    monthlyCost === null
      ? []
      : [{ of: 'cost', period: 'month', isShare: false, limit: Math.floor(monthlyCost * MICRO) }];
  const all = [tokens, ...cost];
  const shares = all.map((one) => ({ ...one, isShare: true, limit: Math.floor(one.limit * analysisShare) }));
  return isAutomatic ? [...shares, ...all] : all;
};

/** The cost of a request to a budget: whole. */
export const takenOf = (
  { of }: Pick<AiBudget, 'of'>,
  tokens: { readonly input: number; readonly output: number },
  prices: Prices,
): number => (of === 'tokens' ? tokens.input + tokens.output : Math.ceil(costOf(prices, tokens) * MICRO));
