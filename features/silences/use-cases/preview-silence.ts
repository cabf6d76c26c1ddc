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

/** Matching events that are shown. */
const SAMPLES = 5;

export interface Previewed {
  /** Events that occurred in the last 24 h and would have been suppressed. */
  readonly matched: number;
  /** Events that match and are open or acknowledged now. */
  readonly open: number;
  /** True if not all of them were checked. */
  readonly truncated: boolean;
  /** The newest of the open ones, else of the last 24 h. */
  readonly samples: readonly Event[];
}

/** The conditions that the store can apply by itself. */
const filterOf = ({ severity, source }: SilenceMatcher): EventFilter => ({
  ...(severity && { severities: severity }),
  ...(source !== undefined && { sources: [source] }),
});

const testOf = async ({ tenant, ports, receivedAt: now }: UseCaseContext, matcher: SilenceMatcher) => {
  const rule = { id: '', matcher, startsAt: now, endsAt: Number.POSITIVE_INFINITY } as SilenceRule;
  const reaches = await findReaches(ports, { tenant, rules: [rule], maintenanceBelow: false, now });
  const compiled = { ...NO_SILENCES, silences: compileSilences([rule], reaches).silences };
  return (event: Event): boolean => suppressionOf(compiled, event, null, now) !== null;
};

interface Matching {
  readonly count: number;
  readonly truncated: boolean;
  readonly newest: readonly Event[];
}

/** Reads the newest events of a filter until all are read, or as many as it may. */
async function matching(
  { tenant, ports }: UseCaseContext,
  filter: EventFilter,
  isMatched: (event: Event) => boolean,
): Promise<Matching> {
  const newest: Event[] = [];
  let count = 0;
  let cursor: string | undefined;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += PAGE) {
    const page = { sort: 'lastOccurrence', order: 'desc', limit: PAGE } as const;
    const found = await ports.events.part(tenant, filter, { ...page, ...(cursor !== undefined && { cursor }) });
    const matched = found.items.filter(isMatched);
    count += matched.length;
    newest.push(...matched.slice(0, SAMPLES - newest.length));
    if (found.nextCursor === null) return { count, truncated: false, newest };
    cursor = found.nextCursor;
  }
  return { count, truncated: true, newest };
}

export async function previewSilence(context: UseCaseContext, matcher: SilenceMatcher): Promise<Previewed> {
  const now = context.receivedAt;
  await requireCis(context, matcher);
  const isMatched = await testOf(context, matcher);
  const filter = filterOf(matcher);
  const open = await matching(context, { ...filter, statuses: ['open', 'acknowledged'] }, isMatched);
  const past = await matching(context, { ...filter, from: now - DAY_MS, to: now }, isMatched);
  return {
    matched: past.count,
    open: open.count,
    truncated: open.truncated || past.truncated,
    samples: open.count > 0 ? open.newest : past.newest,
  };
}
