/** Settings of a tenant for AI functions (`/api/admin/settings/ai`). */
export interface AiSettings {
  /** New events are analysed. */
  readonly analyse: boolean;
  /** Tokens per day, input and output together. */
  readonly dailyTokens: number;
  /** In the currency of the prices; null: no limit. */
  readonly monthlyCost: number | null;
  /** Share of the budget that automatic analyses may use, 0 to 1. */
  readonly analysisShare: number;
  /** Confidence below which no cause is named, 0 to 1. */
  readonly abstainBelow: number;
  /** Share of wrong causes that the tenant bears, 0 to 1: what judged causes say takes the place of `abstainBelow`; null: nothing does. */
  readonly maxError: number | null;
  /** A model sees pseudonyms instead of host names and addresses. */
  readonly pseudonymise: boolean;
  /** ISO 3166-1 alpha-2, for public holidays; null: none are known. */
  readonly country: string | null;
  /** IANA name of the time zone of business hours, and of the times of day that are usual for an event. */
  readonly zone: string;
}

export const DEFAULT_AI_SETTINGS: AiSettings = {
  analyse: true,
  dailyTokens: 200_000,
  monthlyCost: null,
  analysisShare: 0.5,
  abstainBelow: 0.35,
  maxError: null,
  pseudonymise: false,
  country: null,
  zone: 'UTC',
};
