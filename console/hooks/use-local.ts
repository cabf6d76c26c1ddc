import { useMemo } from 'react';
import { localText, zonedMs } from '#console/text/zoned-time.ts';
import { useSettings } from './use-settings.ts';

/** Times as fields for date and time contain them, in the zone of the user. */
export interface Local {
  readonly toLocal: (ms: number) => string;
  /** Null: it is no time. */
  readonly toMs: (text: string) => number | null;
  /** IANA name. */
  readonly zone: string;
}

export const useLocal = (): Local => {
  const { zone } = useSettings();
  return useMemo(
    () => ({
      toLocal: (ms) => localText(ms, zone),
      toMs: (text) => zonedMs(text, zone),
      zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
    [zone],
  );
};
