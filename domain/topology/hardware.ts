/** Lasting keys of one machine: serial numbers and hardware addresses. Values that many machines share do not count. */
import { keyWords } from './key-words.ts';
import type { Ci } from './topology.ts';

const MAX_DEPTH = 6;
const MAX_MACS = 64;
/** Cheap test that excludes most keys. */
const MAYBE_MAC = /mac|hwaddr/i;
const MAC_WORDS = ['mac', 'macs', 'hwaddr'];
/**
 * Invalid and broadcast addresses, redundant routers' (VRRP, HSRP, GLBP) and Docker's, which repeat on every machine.
 */
const SHARED_MAC = /^(0{12}$|f{12}$|00005e000[12]|00000c07ac|00000c9ff|0007b400|0242)/;
/** Placeholders of firmware for an unset serial number. */
const NO_SERIAL =
  /^(0+|x+|none|null|n\/?a|unknown|default( string)?|not (specified|available|applicable|set)|to be filled by o\.?e\.?m\.?|system serial number|chassis serial number|serial number|empty|oem|123456789\d*)$/i;

/** `aa:bb:cc:dd:ee:ff` of any spelling; null when it is none, is no single machine's, or is a multicast address. */
export function canonicalMac(text: string): string | null {
  const digits = text
    .trim()
    .toLowerCase()
    .replace(/[:.\s-]/g, '');
  if (!/^[0-9a-f]{12}$/.test(digits) || SHARED_MAC.test(digits)) return null;
  if ((Number.parseInt(digits.slice(0, 2), 16) & 1) === 1) return null;
  return digits.replace(/(..)(?=.)/g, '$1:');
}

/** Returns upper case; null for a placeholder text. */
export function canonicalSerial(text: string): string | null {
  const serial = text.trim().replace(/\s+/g, ' ').toUpperCase();
  return serial.length < 3 || NO_SERIAL.test(serial) ? null : serial;
}

function collectMacs(value: unknown, inside: boolean, depth: number, found: Set<string>): void {
  if (typeof value === 'string') {
    const mac = inside ? canonicalMac(value) : null;
    if (mac !== null) found.add(mac);
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      const named = !isList && MAYBE_MAC.test(key) && keyWords(key).some((word) => MAC_WORDS.includes(word));
      if (typeof member === 'object' || inside || named) collectMacs(member, inside || named, depth + 1, found);
    }
  }
}

type HardwareFields = Pick<Ci, 'attributes' | 'customFields'>;

export function macsOf({ attributes, customFields }: HardwareFields): string[] {
  const found = new Set<string>();
  collectMacs(attributes, false, 0, found);
  collectMacs(customFields, false, 0, found);
  return [...found].slice(0, MAX_MACS);
}

export function serialsOf({ attributes, customFields }: HardwareFields): string[] {
  const texts = [attributes.serial_number, customFields.serial_number, attributes.serial];
  const serials = texts.map((text) => (typeof text === 'string' ? canonicalSerial(text) : null));
  return [...new Set(serials.filter((serial) => serial !== null))];
}

/** Marks of an index of hardware: `n:` before serial numbers, `m:` before hardware addresses. */
export const SERIAL_MARK = 'n:';
export const MAC_MARK = 'm:';

export const hardwareOf = (ci: HardwareFields): string[] => [
  ...serialsOf(ci).map((serial) => SERIAL_MARK + serial),
  ...macsOf(ci).map((mac) => MAC_MARK + mac),
];
