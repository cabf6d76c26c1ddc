import type { ProcessFacts } from '#api/surfaces/endpoint.ts';
import type { Authenticate } from '#application/access/authenticate.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import type { RefusalCounts } from './refusals.ts';
import type { Routes } from './routes.ts';

/** Everything needed to serve a request. */
export interface Serving {
  readonly ports: Ports;
  readonly routes: Routes;
  readonly authenticate: Authenticate;
  readonly service: ProcessFacts;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  readonly log: Log;
  readonly refusals: RefusalCounts;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Time limit for all steps of a request together in ms, without the arrival of its body. */
  readonly requestMs: number;
  /** Multiplies every rate limit; 0 turns limits and their headers off. */
  readonly limitScale: number;
  readonly baseUrl: string;
  /** Value of Strict-Transport-Security; null: not sent. */
  readonly hsts: string | null;
  /** A success that does not keep the schema of its mount becomes a 500. */
  readonly checkReplies: boolean;
}
