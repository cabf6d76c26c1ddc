import type { MessagePort } from 'node:worker_threads';
import type { InfrastructureList } from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import type { StepName } from '#features/analyzer/rules/communities/infrastructure-steps.ts';
import type { RowsAsked, RowsRead } from '#features/analyzer/rules/infrastructure-messages.ts';

/** First message of the thread; null: each request carries its rows. */
export interface SearchBegun {
  readonly rows: MessagePort | null;
}

export interface StepAsked {
  readonly step: StepName;
  readonly input: unknown;
}
export interface ReadAsked {
  readonly read: RowsAsked;
  readonly rows: RowsRead | null;
}
/** Processed without a reply. */
interface KnownText {
  readonly again: InfrastructureList;
  readonly text: string;
}
export type ThreadRequest = StepAsked | ReadAsked | KnownText;
export type Answered = { readonly answer: unknown } | { readonly error: string };
