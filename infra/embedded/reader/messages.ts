import { errorMessage, Fault, type FaultKind, type Problem } from '#domain/fault.ts';
import type { QueryName } from './queries.ts';

export interface Request {
  readonly number: number;
  readonly name: QueryName;
  readonly query: unknown;
}

/** Message of the error of a query that was interrupted. */
export const INTERRUPTED = 'interrupted';

/** Message to end when earlier queries are answered. */
export const END = 'end';

export type Response = { readonly number: number } & (
  | { readonly answer: unknown }
  | { readonly fault: { readonly kind: FaultKind; readonly message: string; readonly problems: readonly Problem[] } }
  | { readonly error: string }
);

/** An error in a form that can be sent between threads. */
export const sendable = (
  error: unknown,
): { fault: Pick<Fault, 'kind' | 'message' | 'problems'> } | { error: string } =>
  error instanceof Fault
    ? { fault: { kind: error.kind, message: error.message, problems: error.problems } }
    : { error: errorMessage(error) };

/** Returns the answer, or throws the other thread's error. */
export function received(response: Response): unknown {
  if ('answer' in response) return response.answer;
  if ('fault' in response) throw new Fault(response.fault.kind, response.fault.message, response.fault.problems);
  throw new Error(response.error);
}
