import { isPlaceholder } from '#domain/event/placeholder.ts';
import { MAX_NAME } from './text.ts';

/** Origin of a problem, extracted from host names, `instance` labels, URLs and addresses. */
export interface HostAddress {
  readonly hostname?: string;
  readonly ipAddress?: string;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/;
const URL_START = /^[a-z][a-z0-9+.-]{1,30}:\/\//i;
const GROUP = /^[0-9a-f]{1,4}$/i;

const isIpv4 = (text: string): boolean => text.length <= 15 && !text.endsWith('.') && IPV4.test(text);

/** An IPv6 literal without brackets, zone or port; the last 32 bits may be dotted. */
function isIpv6(text: string): boolean {
  if (text.length < 2 || text.length > 45 || !text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const dotted = isIpv4(groups.at(-1) ?? '') ? 1 : 0;
  const plain = dotted ? groups.slice(0, -1) : groups;
  const count = plain.length + 2 * dotted;
  return plain.every((group) => GROUP.test(group)) && (halves.length === 2 ? count <= 7 : count === 8);
}

/** `rabbit@host`: nodes of Erlang. */
const ERLANG_NODE = /^[\w.-]+@(?=[\w.:[\]-]+$)/;

/** The text between `//user@` and `/path`. */
function authorityOf(text: string): string {
  const start = URL_START.exec(text);
  if (!start) return text.replace(ERLANG_NODE, '');
  const authority = text.slice(start[0].length).split(/[/?#]/, 1)[0] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1);
}

/** Host of `host:port`, `host:port/path`, `[v6]:port`, `v6%zone`, `host.`; any other form is returned unchanged. */
function hostOf(authority: string): string {
  const bracketed = /^\[([^\]]{1,100})\](?::\d{1,5})?(?:\/.*)?$/s.exec(authority);
  const bare = (bracketed?.[1] ?? authority).replace(/%[\w.-]{1,20}$/, '');
  if (isIpv6(bare)) return bare.toLowerCase();
  const host = /^([^\s:/]{1,255}):\d{1,5}(?:\/.*)?$/s.exec(bare)?.[1] ?? bare;
  return host.length > 1 && host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Returns the name or address in one text; an IP literal is never a host name, and a placeholder is neither. */
export function hostAddress(text: string | undefined): HostAddress {
  if (text === undefined || isPlaceholder(text)) return {};
  const host = hostOf(authorityOf(text.slice(0, MAX_NAME).trim()));
  if (host === '' || isPlaceholder(host)) return {};
  // Azure and Kubernetes write `10.0.0.1/24` and `10.0.0.1/32`.
  const address = host.replace(/\/\d{1,3}$/, '');
  return isIpv4(address) || isIpv6(address) ? { ipAddress: address } : { hostname: host };
}

/** The first name and the first address found in several texts, best first. */
export function hostAddressAmong(texts: readonly (string | undefined)[]): HostAddress {
  let hostname: string | undefined;
  let ipAddress: string | undefined;
  for (const text of texts) {
    const place = hostAddress(text);
    hostname ??= place.hostname;
    ipAddress ??= place.ipAddress;
  }
  return { ...(hostname !== undefined && { hostname }), ...(ipAddress !== undefined && { ipAddress }) };
}

export const isPlace = ({ hostname, ipAddress }: HostAddress): boolean =>
  hostname !== undefined || ipAddress !== undefined;

const isSame = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase();

/** Returns the location that all of them name; a problem of two machines belongs to neither. */
export function agreed(places: readonly HostAddress[]): HostAddress {
  const [head, ...others] = places;
  if (head === undefined) return {};
  const isCommon = (one: HostAddress) => isSame(one.hostname, head.hostname) && isSame(one.ipAddress, head.ipAddress);
  return others.every(isCommon) ? head : {};
}
