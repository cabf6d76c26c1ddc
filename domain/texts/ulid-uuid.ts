const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A ULID as a UUID: clients of other products know no other form. */
export const uuidOf = (ulid: string): string => {
  let number = 0n;
  for (const digit of ulid) number = number * 32n + BigInt(DIGITS.indexOf(digit));
  return number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The ULID behind a UUID; null for any other text. */
export const ulidOfUuid = (text: string): string | null => {
  if (!UUID.test(text)) return null;
  let number = BigInt(`0x${text.replaceAll('-', '')}`);
  let ulid = '';
  for (let place = 0; place < 26; place++) {
    ulid = DIGITS.charAt(Number(number % 32n)) + ulid;
    number /= 32n;
  }
  return ulid;
};
