import type { UseCaseContext } from '#application/access/context.ts';
import { compileSilences, findReaches } from '#application/events/silences/compile.ts';
import type { Event } from '#domain/event/event.ts';
import { NO_SILENCES, suppressionOf } from '#domain/event/silences/judge.ts';
import type { SilenceMatcher, SilenceRule } from '#domain/event/silences/silence-rule.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { requireCis } from './silences.ts';

const DAY_MS = 24 * 3_600_000;
/** Events read at once, and in all. */
const PAGE = 1_000;
const MAX_LOOKED_AT = 20_000;

export interface Previewed {
  /** Events that occurred in the last 24 h and would have been suppressed. */
  readonly matched: number;
  /** True if not all of them were checked. */
  readonly truncated: boolean;
}

/** The conditions that the store can apply by itself. */
const filterOf = ({ severity, source }: SilenceMatcher, now: number): EventFilter => ({
  from: now - DAY_MS,
  to: now,
  ...(severity && { severities: severity }),
  ...(source !== undefined && { sources: [source] }),
});

const testOf = async ({ tenant, ports, receivedAt: now }: UseCaseContext, matcher: SilenceMatcher) => {
  const rule = { id: '', matcher, startsAt: now, endsAt: Number.POSITIVE_INFINITY } as SilenceRule;
  const reaches = await findReaches(ports, { tenant, rules: [rule], maintenanceBelow: false, now });
  const compiled = { ...NO_SILENCES, silences: compileSilences([rule], reaches).silences };
  return (event: Event): boolean => suppressionOf(compiled, event, null, now) !== null;
};

/** Reads the newest events until all of the last day are read, or as many as it may. */
export async function previewSilence(context: UseCaseContext, matcher: SilenceMatcher): Promise<Previewed> {
  const { tenant, ports, receivedAt: now } = context;
  await requireCis(context, matcher);
  const isMatched = await testOf(context, matcher);
  const filter = filterOf(matcher, now);
  let matched = 0;
  let cursor: string | undefined;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += PAGE) {
    const page = { sort: 'lastOccurrence', order: 'desc', limit: PAGE } as const;
    const found = await ports.events.part(tenant, filter, { ...page, ...(cursor !== undefined && { cursor }) });
    matched += found.items.filter(isMatched).length;
    if (found.nextCursor === null) return { matched, truncated: false };
    cursor = found.nextCursor;
  }
  return { matched, truncated: true };
}
