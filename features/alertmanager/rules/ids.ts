import { silenceId } from '#domain/event/silences/silence-rule.ts';
import { ulidOfUuid } from '#domain/texts/ulid-uuid.ts';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The ULID behind a UUID, `SIL-…` or a ULID; any other text stays. */
export const ulidOf = (text: string): string => {
  const id = silenceId(text);
  return ULID.test(id) ? id : (ulidOfUuid(id) ?? id);
};
