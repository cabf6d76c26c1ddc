import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { StreamTopic, TopicChange } from '#console/api/live/changes.ts';
import { openPace } from '#console/api/live/pace.ts';
import type { LiveState } from '#console/api/live/reader.ts';
import { useAppServices } from './app-services.ts';
import { useLiveStream } from './live-context.ts';

export const useLiveState = (): LiveState => {
  const live = useLiveStream();
  return useSyncExternalStore(live.subscribe, live.state);
};

/**
 * Refetches when something of `topics` changes that `concerns` the reader: at once, in a storm less and less often, and
 * not while the page is hidden.
 */
export const useLive = (
  topics: readonly StreamTopic[],
  read: () => unknown,
  concerns: (changed: TopicChange) => boolean = () => true,
  /** The least time between two reads, ms. */
  leastMs = 500,
  /** The same in a storm. */
  stormMs = 6 * leastMs,
): void => {
  const live = useLiveStream();
  const { clock } = useAppServices();
  const onRead = useEffectEvent(read);
  const onChanged = useEffectEvent(concerns);
  const names = topics.join(' ');

  useEffect(() => {
    const pace = openPace(leastMs, stormMs);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMissed = false;
    const go = (): void => {
      pace.reads(clock.now());
      isMissed = document.hidden;
      if (!isMissed) onRead();
    };
    const changed = (what: TopicChange): void => {
      if (!onChanged(what)) return;
      const wait = pace.changed(clock.now(), what === 'many');
      if (wait !== null) timer = setTimeout(go, wait);
    };
    const shown = (): void => {
      if (!document.hidden && isMissed) go();
    };
    const ends = names.split(' ').map((topic) => live.on(topic as StreamTopic, changed));
    document.addEventListener('visibilitychange', shown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', shown);
      for (const end of ends) end();
    };
  }, [live, clock, names, leastMs, stormMs]);
};
