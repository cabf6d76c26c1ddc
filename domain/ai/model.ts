/** Purpose of a model call; usage is recorded with it. */
export interface Purpose {
  readonly tenant: string;
  readonly service: string;
  readonly department: string | null;
  readonly requestId: string | null;
  readonly isAutomatic: boolean;
}

/** A function that a model may ask to be called. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
}
/** A call as the model wrote it: the name may be none of those offered, the arguments need be no JSON. */
export interface WishedCall {
  readonly name: string;
  readonly arguments: string;
}

export interface ModelRequest {
  readonly purpose: Purpose;
  readonly system: string;
  readonly user: string;
  /** JSON schema of the reply; null where tools are offered. */
  readonly schema: { readonly name: string; readonly json: Readonly<Record<string, unknown>> } | null;
  /** Tools that the model may call instead of an answer; absent: none. */
  readonly tools?: readonly ToolOffer[];
  /** Tokens. */
  readonly maxOutput: number;
  /** Equal keys may share a reply; without marks and other words drawn for this request. */
  readonly key: string;
  /** No attempt begins or continues after this time, epoch ms. */
  readonly until: number;
  /** Returns the reason why a reply is unusable; null when it is fine. */
  readonly problemOf: (text: string) => string | null;
  /** The largest cost of the reply, in the currency of the prices; absent: the budgets of the tenant alone count. */
  readonly maxCost?: number;
  /** The model shall think less: its thoughts used up the tokens before. */
  readonly isBrief?: true;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  /** True if the provider did not report the numbers. */
  readonly estimated: boolean;
}

/** `busy` and `budget` are ours, before the provider is asked. */
export type ModelFailure =
  | 'invalid_output'
  | 'refused'
  | 'rate_limited'
  | 'provider'
  | 'timeout'
  | 'aborted'
  | 'busy'
  | 'budget';

export interface Completed {
  readonly text: string;
  /** Calls that it requests, in its order; only where tools were offered. */
  readonly calls?: readonly WishedCall[];
  /** The tokens were used up before its end. */
  readonly isCut?: true;
  readonly usage: TokenUsage;
}
export interface NotCompleted {
  readonly failure: ModelFailure;
  readonly usage: TokenUsage;
  /**
   * Kind of retry that may help: at once with other parameters, `briefly`, after a while, or after a correction prompt.
   */
  readonly again: 'at_once' | 'briefly' | 'later' | 'corrected' | 'never';
  /** Delay that the provider requests, ms. */
  readonly retryAfterMs?: number;
  /** Our own description of the error, for the log and for the model. */
  readonly detail: string;
}
export type ModelReply = Completed | NotCompleted;
