import { invalid } from '#domain/fault.ts';
import type { DeliveryFormat, Webhook } from './webhook.ts';

/** Chats know a sender by the address alone, so it is a secret; other deliveries are signed, or carry a key. */
const BY_ADDRESS: ReadonlySet<DeliveryFormat> = new Set(['slack', 'teams']);
const HIDDEN = '…';
const TAIL = 4;
/** Minimum length; the tail of a shorter one would reveal too much. */
const SHORTEST = 12;

type Addressed = Pick<Webhook, 'url' | 'format'>;

/**
 * Returns the address for replies: for a secret one the origin and the last characters, by which users can distinguish
 * two of them.
 */
export function shownAddress({ url, format }: Addressed): string {
  if (!BY_ADDRESS.has(format)) return url;
  const { origin, pathname, search, hash } = new URL(url);
  const rest = `${pathname.slice(1)}${search}${hash}`;
  return `${origin}/${HIDDEN}${rest.length < SHORTEST ? '' : rest.slice(-TAIL)}`;
}

/**
 * Returns the address of a replaced registration: unchanged when it is sent back as shown. Throws Fault `invalid` for
 * part of another one, and for a format that would show it.
 */
export function keptAddress(before: Addressed, { url, format }: Addressed): string {
  if (url !== shownAddress(before)) return wholeAddress(url);
  if (url !== before.url && !BY_ADDRESS.has(format))
    throw invalid('url', `expected the full URL: format ${format} exposes it to all users with webhooks.manage`);
  return before.url;
}

/** Throws Fault `invalid` for an address of which a part was hidden. */
export function wholeAddress(url: string): string {
  if (url.includes(`/${HIDDEN}`)) throw invalid('url', 'expected the full URL; the displayed value is masked');
  return url;
}
