import type { LimitReason } from './limit-class.ts';
import type { RefusedCredential } from './refused-credential.ts';

/** Kinds of errors, in the words of the domain. Each surface has a table from kind to status and code. */
export const FAULT_KINDS = [
  'invalid',
  'unauthenticated',
  'tenant',
  'forbidden',
  'not-found',
  'method',
  'conflict',
  'precondition',
  'unprocessable',
  'too-large',
  'rate-limited',
  'model',
  'unavailable',
  'internal',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One thing that is wrong with one field. `field` is a path as the caller wrote it: `events[3].severity`. */
export interface Problem {
  readonly field: string;
  readonly reason: string;
}

export interface FaultExtra {
  /** Extra members of the error body, for example `conflictingEventId`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Seconds after which it is worth to try again. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
  /** Set when a credential is refused; the reply never shows it. */
  readonly refused?: RefusedCredential;
  /** Set when a rate limit refuses; for the counter. */
  readonly limited?: { readonly class: string; readonly reason: LimitReason };
  /** Only a wish of the caller is refused, such as a model where none is set up: no operator needs to act. */
  readonly isWish?: true;
}

/** The only error that rules, stores and handlers throw on purpose; its message is shown to the caller. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly problems: readonly Problem[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;
  readonly refused: RefusedCredential | undefined;
  readonly limited: FaultExtra['limited'] | undefined;
  readonly isWish: boolean;

  constructor(kind: FaultKind, message: string, problems: readonly Problem[] = [], extra: FaultExtra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'Fault';
    this.kind = kind;
    this.problems = problems;
    this.data = extra.data ?? {};
    this.retryAfter = extra.retryAfter;
    this.refused = extra.refused;
    this.limited = extra.limited;
    this.isWish = extra.isWish === true;
  }
}

/** True if a save named a revision, and another save happened between. */
export const isOvertaken = (error: unknown): error is Fault => error instanceof Fault && error.kind === 'precondition';

/** A store does not answer now. */
export const isUnavailable = (error: unknown): error is Fault => error instanceof Fault && error.kind === 'unavailable';

/** True if the requested name or state is in use already, or conflicts. */
export const isConflict = (error: unknown): error is Fault => error instanceof Fault && error.kind === 'conflict';

/** A request that is wrong in one field. */
export const invalid = (field: string, reason: string): Fault =>
  new Fault('invalid', `${field}: ${reason}`, [{ field, reason }]);

/** Nothing of that id in this tenant; a foreign id answers the same. */
export const notFound = (what: string, id: string): Fault => new Fault('not-found', `${what} ${id} not found`);

/** The text of anything that was thrown. */
export const errorMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
