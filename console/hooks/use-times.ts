import { useSyncExternalStore } from 'react';
import { duration, type ZonedTimes } from '#console/words/times.ts';
import { useParts } from './parts.ts';
import { useSettings } from './use-settings.ts';

/** A text made from the time: the component is drawn anew only when the text changes. */
export const useTicking = (textAt: (now: number) => string): string => {
  const { clock, ticker } = useParts();
  return useSyncExternalStore(ticker.subscribe, () => textAt(clock.now()));
};

/** How long ago `at` was, epoch ms. */
export const useAge = (at: number): string => useTicking((now) => duration(now - at));

interface Times {
  /** `10:20:31` today, else with the day. */
  readonly when: (at: string | number) => string;
  /** `23 Nov 10:20`, today too. */
  readonly dated: (at: string | number) => string;
  /** With day, year and time zone. */
  readonly full: (at: string | number) => string;
}

const ms = (at: string | number): number => (typeof at === 'number' ? at : Date.parse(at));

/** Formats times in the zone of the person. */
export const useZonedTimes = (): ZonedTimes => useParts().timesOf(useSettings().zone);

export const useTimes = (): Times => {
  const { clock } = useParts();
  const { when, dated, fullTime } = useZonedTimes();
  return {
    when: (at) => when(ms(at), clock.now()),
    dated: (at) => dated(ms(at), clock.now()),
    full: (at) => fullTime(ms(at)),
  };
};
