/** Names of the system of an event without a CI, by which a later CI finds it. */
import type { Event } from '#domain/event/event.ts';
import { canonicalHost, canonicalIp } from './system.ts';

/** Name in `details` of a CI that a sender named and that is unknown. */
export const NAMED_CI = 'ciId';
/** Name in `details` of other names of the CI, best first: ARNs, ARM ids, names of instances. */
export const CI_HINTS = 'ciHints';
const MAX_HINTS = 10;
const MAX_HINT = 1_024;

/** No host name has a colon, so a key for an id, external key or name of a CI is distinct. */
export const ciKey = (name: string): string => `ci:${name.trim().toLowerCase()}`;

/** Returns the hints as an event without a CI stores them. */
export const keptHints = (hints: readonly string[]): readonly string[] =>
  hints.filter((hint) => hint.trim() !== '' && hint.length <= MAX_HINT).slice(0, MAX_HINTS);

type DetailedEvent = Pick<Event, 'details'>;

export const namedCi = ({ details }: DetailedEvent): string | null => {
  const named = details[NAMED_CI];
  return typeof named === 'string' && named !== '' ? named : null;
};

/** A sender may have a field of this name too. */
export const hintsAtCi = ({ details }: DetailedEvent): readonly string[] => {
  const hints = details[CI_HINTS];
  return Array.isArray(hints) ? keptHints(hints.filter((hint) => typeof hint === 'string')) : [];
};

/** Keys, at most two; other fields of an event are found by scanning all events without a CI. */
export interface UnboundKeys {
  /** Host name, else a `ciKey`. */
  readonly host: string | null;
  /** IP address, else a `ciKey`. */
  readonly address: string | null;
}

export function unboundKeys(event: Pick<Event, 'hostname' | 'ipAddress' | 'details'>): UnboundKeys {
  const { hostname, ipAddress } = event;
  const names = [namedCi(event), ...hintsAtCi(event)].filter((name) => name !== null).map(ciKey);
  const host = (hostname && canonicalHost(hostname)) || names.shift() || null;
  const address = (ipAddress && canonicalIp(ipAddress)) || names.shift() || null;
  return { host, address };
}
