import type { Exchange } from '#api/http/routing/exchange.ts';
import { Fault } from '#domain/fault.ts';
import type { JsonReply } from './reply.ts';

/** Seconds; default when a fault does not contain a value. */
const TRY_AGAIN_AFTER = 5;

const isTemporary = (fault: Fault): boolean => fault.kind === 'rate-limited' || fault.kind === 'unavailable';

const retryAfterOf = (fault: Fault): number | undefined =>
  fault.retryAfter === undefined
    ? isTemporary(fault)
      ? TRY_AGAIN_AFTER
      : undefined
    : Math.max(1, Math.ceil(fault.retryAfter));

/** Internal errors are reported without their message; 412 is returned only to callers that named a revision. */
export const faultOf = (error: unknown, hasNamedRevision: boolean): Fault => {
  if (!(error instanceof Fault)) return new Fault('internal', 'An unexpected error occurred', [], { cause: error });
  if (error.kind !== 'precondition' || hasNamedRevision) return error;
  return new Fault('unavailable', 'Modified concurrently. Retry', [], { retryAfter: 1, cause: error });
};

/** SNS sends its password only when it is challenged. */
const challenge = (exchange: Exchange): string =>
  exchange.route?.endpoint.lenientCredentials === true ? 'Bearer, Basic realm="faultline"' : 'Bearer';

/** A fault in the dialect of the surface. `now` in epoch ms. */
export function refusal(exchange: Exchange, fault: Fault, now: number, baseUrl: string): JsonReply {
  const { surface, requestId } = exchange;
  const { status, code } = surface.faults[fault.kind];
  const retryAfter = retryAfterOf(fault);
  const body = surface.error({
    status,
    code,
    message: fault.message,
    problems: fault.problems,
    data: fault.data,
    requestId,
    retryAt: retryAfter === undefined ? null : now + retryAfter * 1000,
    documentationUrl: `${baseUrl}/docs`,
  });
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  if (fault.kind === 'unauthenticated') headers['WWW-Authenticate'] = challenge(exchange);
  return { status, headers, body };
}
