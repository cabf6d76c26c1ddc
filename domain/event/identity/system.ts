import { textBefore, withoutTrailing } from '#domain/text.ts';

/** Name of the system that an event is about: deduplication separates by it and patterns relate by it. */

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
/** Characters of the longest address, an IPv4 address inside IPv6; longer text is none. */
const MAX_ADDRESS = 45;
const IPV6 = /^[0-9a-f:.]+$/;
const looksLikeV6 = (text: string): boolean => text.length <= MAX_ADDRESS && text.includes(':') && IPV6.test(text);

const canonicalV4 = (text: string): string => text.split('.').map(Number).join('.');

/** Eight groups, the embedded IPv4 form included; null when it is no address. */
const groupsOf = (text: string): number[] | null => {
  const embedded = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  const plain = embedded
    ? `${embedded[1]}${(Number(embedded[2]) * 256 + Number(embedded[3])).toString(16)}:${(Number(embedded[4]) * 256 + Number(embedded[5])).toString(16)}`
    : text;
  const halves = plain.split('::');
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const gap = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? gap < 1 : gap !== 0)) return null;
  const groups = [...head, ...Array<string>(gap).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
  return groups.every((group) => group >= 0 && group <= 0xffff) ? groups : null;
};

/** RFC 5952: the longest run of zero groups is `::`, the first when several are equal. */
const shortest = (groups: readonly number[]): string => {
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = [...text.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)].sort((a, b) => b[0].length - a[0].length);
  const run = runs[0];
  if (run === undefined) return text;
  return `${text.slice(0, run.index).replace(/:$/, '')}::${text.slice(run.index + run[0].length).replace(/^:/, '')}`;
};

/**
 * Returns one text per address: no leading zeros, RFC 5952, IPv4 inside IPv6 as IPv4. Other text is returned in lower
 * case.
 */
export const canonicalIp = (address: string): string => {
  const bare = address
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  const text = textBefore(bare, '%');
  if (IPV4.test(text)) return canonicalV4(text);
  const groups = looksLikeV6(text) ? groupsOf(text) : null;
  if (groups === null) return text;
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const [high = 0, low = 0] = groups.slice(6);
  return mapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : shortest(groups);
};

const PLAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//;
/** The path after an authority; without a scheme a slash belongs to the name, as in `shop/web`, unless a port precedes it. */
const AFTER_AUTHORITY = /[/?#].*$/s;
const AFTER_PORT = /^([^/?#]*:\d+)[/?#].*$/s;

/** Host name as compared: lower case, without scheme, user, path, brackets, port and trailing dot; the domain stays. */
export const canonicalHost = (host: string): string => {
  const text = host.trim().toLowerCase();
  if (PLAIN.test(text) && !IPV4.test(text)) return text;
  const [scheme] = SCHEME.exec(text) ?? [];
  const place =
    scheme === undefined ? text.replace(AFTER_PORT, '$1') : text.slice(scheme.length).replace(AFTER_AUTHORITY, '');
  const authority = place.replace(/^.*@/s, '');
  const bracketed = /^\[([^\]]*)\]/.exec(authority);
  if (bracketed) return canonicalIp(bracketed[1] ?? '');
  const several = authority.indexOf(':') !== authority.lastIndexOf(':');
  return withoutTrailing(canonicalIp(several ? authority : authority.replace(/:\d*$/, '')), '.');
};

export interface SystemNames {
  readonly hostname?: string | undefined;
  readonly ipAddress?: string | undefined;
  readonly ciId?: string | undefined;
  readonly source: string;
}

/** Returns the host name, else IP address, else the sender's CI id, else the source. */
export const systemOf = ({ hostname, ipAddress, ciId, source }: SystemNames): string =>
  (hostname && canonicalHost(hostname)) || (ipAddress && canonicalIp(ipAddress)) || ciId?.trim() || source;
