import { silenceId } from '#domain/event/silences/silence-rule.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A ULID as a UUID: clients of Alertmanager know no other form. */
export const uuidOf = (ulid: string): string => {
  let number = 0n;
  for (const digit of ulid) number = number * 32n + BigInt(DIGITS.indexOf(digit));
  return number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The ULID behind a UUID, `SIL-…` or a ULID; any other text stays. */
export const ulidOf = (text: string): string => {
  const id = silenceId(text);
  if (ULID.test(id) || !UUID.test(id)) return id;
  let number = BigInt(`0x${id.replaceAll('-', '')}`);
  let ulid = '';
  for (let place = 0; place < 26; place++) {
    ulid = DIGITS.charAt(Number(number % 32n)) + ulid;
    number /= 32n;
  }
  return ulid;
};
