/** A runbook for events that fit all that it names. */
export interface RunbookRule {
  /** Address or short instruction. */
  readonly url: string;
  /** Shown behind the address. */
  readonly text?: string | undefined;
  readonly ciType?: string | undefined;
  /** Name of a service on events. */
  readonly service?: string | undefined;
  /** A kind of the catalogue of complaints. */
  readonly complaint?: string | undefined;
  /** Words that stand in the title. */
  readonly title?: string | undefined;
}

/** Settings of a tenant for AI functions (`/api/admin/settings/ai`). */
export interface AiSettings {
  /** Analyze new events. */
  readonly analyse: boolean;
  /** Tokens per day, input and output together. */
  readonly dailyTokens: number;
  /** Limit in the currency of the prices; null: no limit. */
  readonly monthlyCost: number | null;
  /** Share of the budget that automatic analyses may use, 0 to 1. */
  readonly analysisShare: number;
  /** Confidence below which no cause is named, 0 to 1. */
  readonly abstainBelow: number;
  /**
   * Share of wrong causes that the tenant accepts, 0 to 1: a threshold from judged causes replaces `abstainBelow`;
   * null: no replacement.
   */
  readonly maxError: number | null;
  /** A model sees pseudonyms instead of host names and addresses. */
  readonly pseudonymise: boolean;
  /** ISO 3166-1 alpha-2, for public holidays; null: none are known. */
  readonly country: string | null;
  /** IANA name of the time zone of business hours, and of the times of day that are usual for an event. */
  readonly zone: string;
  readonly runbooks: readonly RunbookRule[];
}

export const DEFAULT_AI_SETTINGS: AiSettings = {
  analyse: true,
  dailyTokens: 2_000_000,
  monthlyCost: null,
  analysisShare: 0.5,
  abstainBelow: 0.35,
  maxError: null,
  pseudonymise: false,
  country: null,
  zone: 'UTC',
  runbooks: [],
};
