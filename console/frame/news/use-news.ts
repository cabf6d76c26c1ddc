import { useEffect, useEffectEvent, useRef } from 'react';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import { openPace } from '#console/api/live/pace.ts';
import { useLiveStream } from '#console/hooks/live-context.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { count } from '#console/words/counts.ts';
import { chime } from './chime.ts';

/** Of the newest critical groups so many are looked at. */
const LOOKED_AT = 20;
const LEAST_MS = 10_000;

const wordsOf = (fresh: readonly GroupRow[]): string => {
  const title = fresh[0]?.title ?? 'without a cause';
  return fresh.length === 1
    ? `New critical problem: ${title}`
    : `${count(fresh.length, 'new critical problem')}, one: ${title}`;
};

/** An event that was told of by itself is no news again as the root cause of a group. */
const idsOf = ({ correlationId, rootCauseCandidate }: GroupRow): string[] => [
  correlationId,
  ...(rootCauseCandidate === null ? [] : [rootCauseCandidate.eventId]),
];

/** Tells of critical groups, and events in none, that were not there before, also while the page is not seen; with a sound for those who want it. */
export const useNews = (): void => {
  const live = useLiveStream();
  const { call, clock, announcer } = useParts();
  const { sound } = useSettings();
  const may = useMay('events.read');
  const known = useRef<ReadonlySet<string> | null>(null);

  const look = useEffectEvent(async (): Promise<void> => {
    const asked = {
      include: 'single',
      severity: 'critical',
      status: 'active',
      sortBy: 'first',
      limit: LOOKED_AT,
      view: 'row',
    };
    const { groups } = await listGroups(call, asked);
    const before = known.current;
    known.current = new Set([...(before ?? []), ...groups.flatMap(idsOf)]);
    const fresh = before === null ? [] : groups.filter((group) => !idsOf(group).some((id) => before.has(id)));
    if (fresh.length === 0) return;
    announcer.announce('critical', wordsOf(fresh));
    if (sound) for (const { correlationId } of fresh.slice(0, 1)) chime(correlationId);
  });

  useEffect(() => {
    if (!may) return undefined;
    const pace = openPace(LEAST_MS, 6 * LEAST_MS);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = (): void => {
      pace.reads(clock.now());
      // The next change looks again.
      look().catch(() => undefined);
    };
    look().catch(() => undefined);
    const changed = (): void => {
      const wait = pace.changed(clock.now());
      if (wait !== null) timer = setTimeout(go, wait);
    };
    const ends = [live.on('groups', changed), live.on('events', changed)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [live, clock, may]);
};
