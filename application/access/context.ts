import type { Caller } from '#domain/access/caller.ts';
import type { RequestDoor } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** The context of a use case beside its input: the caller, the tenant, and the ports. */
export interface UseCaseContext {
  readonly tenant: string;
  /** Null only where the endpoint needs no credential. */
  readonly caller: Caller;
  readonly ports: Ports;
  readonly address: string;
  readonly department: string | null;
  /** Value of Idempotency-Key, when sent; other endpoints never receive the same. */
  readonly idempotencyKey: string | null;
  /** If-Match, when sent to an endpoint that is conditional. */
  readonly ifMatch: string | null;
  readonly receivedAt: number;
  /** The door of the request, for the audit log; absent: the HTTP interface itself. */
  readonly via?: RequestDoor;
  /** Aborted when the caller hangs up; for streams and long work. */
  readonly signal: AbortSignal;
}

/** Context of work without a request. */
export const backgroundContext = (ports: Ports, caller: Caller): UseCaseContext => ({
  ports,
  caller,
  tenant: caller.tenant,
  address: '',
  department: null,
  idempotencyKey: null,
  ifMatch: null,
  receivedAt: ports.clock.now(),
  signal: new AbortController().signal,
});

/** The part of a context that needs no caller. */
export type TenantContext = Pick<UseCaseContext, 'tenant' | 'ports'>;
/** Context with the time of the request, for relative values. */
export type TimedContext = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>;
/** Context with the caller, for data visible to some callers only. */
export type CallerContext = Pick<UseCaseContext, 'tenant' | 'ports' | 'caller'>;
export type QueryContext = TimedContext & CallerContext;
