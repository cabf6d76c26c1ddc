import { itemAt } from '#domain/assert.ts';
import { textBefore } from '#domain/text.ts';

/** IP addresses in their one canonical text. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const GROUP = /^[\da-f]{1,4}$/i;
const GROUPS = 8;
/** The first five groups are 0 and the sixth is this: an IPv4 address inside IPv6. */
const MAPPED = 0xffff;

const numbersOf = (ipv4: string): number[] => {
  const [a, b, c, d] = ipv4.split('.').map(Number) as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
};

/**
 * Returns the groups of one side of `::`; null when one is malformed. An IPv4 address may be at the end of the whole.
 */
function groupsIn(side: string, isLast: boolean): number[] | null {
  if (side === '') return [];
  const groups: number[] = [];
  const texts = side.split(':');
  for (const [i, text] of texts.entries()) {
    if (GROUP.test(text)) groups.push(Number.parseInt(text, 16));
    else if (isLast && i === texts.length - 1 && IPV4.test(text)) groups.push(...numbersOf(text));
    else return null;
  }
  return groups;
}

function parsedGroups(text: string): number[] | null {
  const sides = text.split('::');
  if (sides.length > 2) return null;
  const [head = '', tail] = sides;
  const left = groupsIn(head, tail === undefined);
  const right = groupsIn(tail ?? '', true);
  if (left === null || right === null) return null;
  const missing = GROUPS - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...left, ...Array<number>(missing).fill(0), ...right];
}

/** The first of the longest runs of zeros, at least two, as RFC 5952 shortens it. */
function longestZeros(groups: readonly number[]): { at: number; length: number } {
  let best = { at: -1, length: 1 };
  for (let at = 0; at < GROUPS; ) {
    let end = at;
    while (end < GROUPS && groups[end] === 0) end++;
    if (end - at > best.length) best = { at, length: end - at };
    at = end + 1;
  }
  return best;
}

const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

function textOf(groups: readonly number[]): string {
  const zeros = longestZeros(groups);
  if (zeros.at === 0 && zeros.length === 5 && groups[5] === MAPPED) return dotted(itemAt(groups, 6), itemAt(groups, 7));
  const words = groups.map((group) => group.toString(16));
  if (zeros.at < 0) return words.join(':');
  return `${words.slice(0, zeros.at).join(':')}::${words.slice(zeros.at + zeros.length).join(':')}`;
}

/** One text per address: dotted IPv4, RFC 5952 for IPv6, IPv4 inside IPv6 as IPv4; null for anything else. Brackets and zone are dropped. */
export function canonicalAddress(text: string): string | null {
  if (IPV4.test(text)) return text;
  const address = textBefore(text.trim().replace(/^\[|\]$/g, ''), '%');
  if (IPV4.test(address)) return address;
  if (!address.includes(':')) return null;
  const groups = parsedGroups(address);
  return groups === null ? null : textOf(groups);
}

/**
 * Returns the addresses that one customer of a network provider controls: an IPv4 address, or the /64 network of an
 * IPv6 address. Text that is no address is returned unchanged.
 */
export function addressBlock(text: string): string {
  const address = canonicalAddress(text);
  if (address === null) return text;
  const groups = address.includes(':') ? parsedGroups(address) : null;
  return groups === null ? address : `${textOf([...groups.slice(0, 4), 0, 0, 0, 0])}/64`;
}
