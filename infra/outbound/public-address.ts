import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The networks in FAULTLINE_OUTBOUND_ALLOW; one address is a network of itself. */
export type Allowed = readonly [Address, number][];
export const allowedFrom = (networks: readonly string[]): Allowed =>
  networks.map((network) =>
    network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), network.includes(':') ? 128 : 32],
  );

/** The only addresses of IPv6 that are given to machines on the internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

const isWithin = (address: Address, network: Allowed[number]): boolean =>
  address.kind() === network[0].kind() && address.match(network as [ipaddr.IPv4, number] & [ipaddr.IPv6, number]);

/**
 * True if an address in text is public or allowed. A v4-mapped one counts as its v4 address; one that carries another
 * in a tunnel (NAT64, 6to4, Teredo) is not public.
 */
export const isCallable = (text: string, allowed: Allowed): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (allowed.some((network) => isWithin(address, network))) return true;
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, GLOBAL_UNICAST));
};

/** The host of an address as a literal without brackets, or null for a name. Decimal, octal and hexadecimal are dotted by then. */
export const literalOf = ({ hostname }: URL): string | null => {
  const host = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
};
