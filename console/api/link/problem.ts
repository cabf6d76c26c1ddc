import { retryAfterMs, type Seconds } from './retry-after.ts';
import * as text from './texts.ts';

/** The error of a call, in any dialect of the server. */
export class CallProblem extends Error {
  override readonly name = 'Problem';
  /** Status; 0: no answer. */
  readonly status: number;
  readonly requestId: string | null;
  /** Wait before a retry, ms; null when the server did not send one. */
  readonly retryAfterMs: number | null;
  /** Messages by field of the body or query. */
  readonly fields: Readonly<Record<string, string>>;
  /** Further code in the details; null: none. */
  readonly code: string | null;

  constructor(
    message: string,
    given: Partial<Pick<CallProblem, 'status' | 'requestId' | 'retryAfterMs' | 'fields' | 'code'>> = {},
  ) {
    super(message);
    this.status = given.status ?? 0;
    this.requestId = given.requestId ?? null;
    this.retryAfterMs = given.retryAfterMs ?? null;
    this.fields = given.fields ?? {};
    this.code = given.code ?? null;
  }
}

export const isProblem = (error: unknown, ...statuses: readonly number[]): error is CallProblem =>
  error instanceof CallProblem && (statuses.length === 0 || statuses.includes(error.status));

type Loose = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const textIn = (value: unknown, key: string): string | null => {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : null;
};

/**
 * Formats: events send `details: [{ field, message }]`, the platform `error.errors: [{ field, reason }]`, /v1
 * `error.details: [{ field, error }]`.
 */
const fieldsOf = (body: unknown): Record<string, string> => {
  const error = isRecord(body) && isRecord(body.error) ? body.error : body;
  const lists = isRecord(error) ? [error.errors, error.details] : [];
  const problems = lists.find((list): list is unknown[] => Array.isArray(list)) ?? [];
  return Object.fromEntries(
    problems.flatMap((problem) => {
      const field = textIn(problem, 'field');
      const said = textIn(problem, 'message') ?? textIn(problem, 'reason') ?? textIn(problem, 'error');
      return field === null || said === null ? [] : [[field, said]];
    }),
  );
};

const codeOf = (body: unknown): string | null => {
  const error = isRecord(body) ? body.error : undefined;
  return textIn(isRecord(error) ? error.details : undefined, 'error_code');
};

const messageOf = (body: unknown, status: number): string => {
  const error = isRecord(body) ? body.error : undefined;
  return textIn(error, 'message') ?? textIn(body, 'message') ?? text.theServerReturnedHttp(status);
};

/** Returns the problem of a reply that is no success; `body` is its readable part. */
export const problemOf = (
  status: number,
  body: unknown,
  headers: { readonly requestId: string | null; readonly retryAfter: Seconds },
  now: number,
): CallProblem =>
  new CallProblem(messageOf(body, status), {
    status,
    requestId: headers.requestId,
    retryAfterMs: retryAfterMs(headers.retryAfter, now),
    fields: fieldsOf(body),
    code: codeOf(body),
  });
