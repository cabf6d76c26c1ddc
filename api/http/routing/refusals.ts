import type { Fault } from '#domain/fault.ts';
import type { LimitClass, LimitReason } from '#domain/limit-class.ts';
import { forgetOldest } from '#domain/lru.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Exchange } from './exchange.ts';

const MINUTE_MS = 60_000;
/** Pairs of class and tenant whose last line is remembered. */
const MAX_KEYS = 10_000;

/** Counts refused requests by class and reason, and prevents a feed over its limit from filling the log. */
export interface RefusalCounts {
  /** Fields that the request's line of the log gets. */
  note(exchange: Exchange, limit: LimitClass, fault: Fault): Readonly<Record<string, unknown>>;
}

interface RefusalLine {
  readonly at: number;
  /** Requests refused since, without a line. */
  refused: number;
}

/** One line per class, tenant and minute, with the number of requests refused since the line before it. */
const limitedLines = (log: Log) => {
  const lines = new Map<string, RefusalLine>();
  return ({ requestId, tenant, caller, receivedAt }: Exchange, named: string, why: string): void => {
    const key = `${named}|${tenant}`;
    const last = lines.get(key);
    if (last !== undefined && receivedAt - last.at < MINUTE_MS) {
      last.refused += 1;
      return;
    }
    if (lines.size >= MAX_KEYS) forgetOldest(lines);
    lines.delete(key);
    lines.set(key, { at: receivedAt, refused: 0 });
    const fields = { requestId, class: named, tenant, actor: caller?.id, refusedBefore: last?.refused ?? 0, why };
    log.warn(fields, 'rate limit exceeded');
  };
};

const reasonOf = (limit: LimitClass): LimitReason => (limit === 'none' ? 'logins' : 'busy');

export const openRefusals = (metrics: Metrics, log: Log): RefusalCounts => {
  const limitedLine = limitedLines(log);
  return {
    note(exchange, limit, { kind, message, limited, refused }) {
      if (kind === 'rate-limited') {
        const { class: named, reason } = limited ?? { class: limit, reason: reasonOf(limit) };
        metrics.count('faultline_requests_limited_total', { class: named, reason });
        limitedLine(exchange, named, message);
        return {};
      }
      if (refused === undefined) return {};
      metrics.count('faultline_credentials_refused_total', { class: limit, reason: refused.reason });
      const { reason, credentialId, tenant } = refused;
      return { refused: reason, ...(credentialId && { credentialId }), ...(tenant && { tenant }) };
    },
  };
};
