import type { MessagePort } from 'node:worker_threads';
import type { EstateList } from '#features/analyzer/rules/communities/estate-intake.ts';
import type { StepName } from '#features/analyzer/rules/communities/estate-steps.ts';
import type { RowsAsked, RowsRead } from '#features/analyzer/rules/estate-messages.ts';

/** The thread begins with it; null: the rows come with what is asked. */
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
/** It is taken in without an answer. */
interface KnownText {
  readonly again: EstateList;
  readonly text: string;
}
export type Asked = StepAsked | ReadAsked | KnownText;
export type Answered = { readonly answer: unknown } | { readonly error: string };
