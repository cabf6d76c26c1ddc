import type { Enriched, Hit } from '#domain/correlation/records.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';
import { candidatesOf, type TenantWindow } from './window.ts';

/** Findings are passed on when their final score is strictly greater (docs/specification.md §5). */
const WORTH_LISTING = 0.5;

export interface Matches {
  readonly hits: readonly Hit[];
  readonly cut: number;
}

const NO_MATCHES: Matches = { hits: [], cut: 0 };

/** What one strategy finds for an arrival among the partners of its window; nothing when the tenant has switched it off. */
export function match(window: TenantWindow, strategy: Strategy, record: Enriched): Matches {
  const own = record.settings.strategies[strategy.name];
  if (own === undefined || !own.enabled) return NO_MATCHES;
  const { partners, cut } = candidatesOf(window, strategy, record);
  const hits: Hit[] = [];
  for (const partner of partners) {
    const found = strategy.score(record, partner, own);
    if (found === null || found.score <= WORTH_LISTING) continue;
    const { score, literalScore, reason, details } = found;
    hits.push({ other: partner.eventId, score, literalScore, reason, details });
  }
  return { hits, cut };
}
