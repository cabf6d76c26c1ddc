import type { Caller } from '#domain/access/caller.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** The context of a use case beside its input: the caller, the tenant, and the ports. */
export interface UseCaseContext {
  readonly tenant: string;
  /** Null only where the endpoint needs no credential. */
  readonly caller: Caller;
  readonly ports: Ports;
  readonly address: string;
  readonly department: string | null;
  /** From Idempotency-Key, when sent; no other endpoint sees the same. */
  readonly idempotencyKey: string | null;
  /** If-Match, when sent to an endpoint that is conditional. */
  readonly ifMatch: string | null;
  readonly receivedAt: number;
  /** Aborted when the caller hangs up; for streams and long work. */
  readonly signal: AbortSignal;
}
