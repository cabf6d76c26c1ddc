/** What an event that found no CI says of the system it is about, as it is looked for when a CI comes. */
import type { Event } from './event.ts';
import { canonicalHost, canonicalIp } from './system.ts';

/** Name in `details` of the CI that a sender named and nobody knew. */
export const NAMED_CI = 'ciId';

/** No host name has a colon, so what stands for an id or external key is told apart. */
export const ciKey = (idOrExternalKey: string): string => `ci:${idOrExternalKey.trim().toLowerCase()}`;

export const namedCi = ({ details }: Pick<Event, 'details'>): string | null => {
  const named = details[NAMED_CI];
  return typeof named === 'string' && named !== '' ? named : null;
};

export interface UnboundKeys {
  /** Host name, else the CI that was named. */
  readonly host: string | null;
  readonly address: string | null;
}

export function unboundKeys(event: Pick<Event, 'hostname' | 'ipAddress' | 'details'>): UnboundKeys {
  const { hostname, ipAddress } = event;
  const named = namedCi(event);
  return {
    host: (hostname && canonicalHost(hostname)) || (named && ciKey(named)),
    address: (ipAddress && canonicalIp(ipAddress)) || null,
  };
}
