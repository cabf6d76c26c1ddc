import { useSyncExternalStore } from 'react';
import { duration, type ZonedTimes } from '#console/text/times.ts';
import { useAppServices } from './app-services.ts';
import { useSettings } from './use-settings.ts';

/** A text made from the time: the component renders again only when the text changes. */
export const useTicking = (textAt: (now: number) => string): string => {
  const { clock, ticker } = useAppServices();
  return useSyncExternalStore(ticker.subscribe, () => textAt(clock.now()));
};

/** Returns the age of `at`, epoch ms. */
export const useAge = (at: number): string => useTicking((now) => duration(now - at));

interface TimeFormats {
  /** `10:20:31` today, else with the day. */
  readonly when: (at: string | number) => string;
  /** `23 Nov 10:20`, today too. */
  readonly dated: (at: string | number) => string;
  /** Returns the time with day, year and time zone. */
  readonly full: (at: string | number) => string;
}

const ms = (at: string | number): number => (typeof at === 'number' ? at : Date.parse(at));

/** Formats times in the zone of the person. */
export const useZonedTimes = (): ZonedTimes => useAppServices().timesOf(useSettings().zone);

export const useTimes = (): TimeFormats => {
  const { clock } = useAppServices();
  const { when, dated, fullTime } = useZonedTimes();
  return {
    when: (at) => when(ms(at), clock.now()),
    dated: (at) => dated(ms(at), clock.now()),
    full: (at) => fullTime(ms(at)),
  };
};
