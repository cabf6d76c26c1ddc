import type { RecordOutcome } from '#domain/event/incoming.ts';
import { COUNTED_CLASSES, CREDENTIAL_KINDS } from '#domain/limit-class.ts';
import { sources } from '#schemas/sources/sources.ts';

/** An outcome that is missing here does not compile. */
const OUTCOMES: Readonly<Record<RecordOutcome | 'failed' | 'queued', true>> = {
  created: true,
  duplicate_updated: true,
  resolved: true,
  acknowledged: true,
  suppressed: true,
  reopened: true,
  ignored: true,
  changed: true,
  failed: true,
  queued: true,
};

/** Values of labels. */
export const SOURCES = [...sources.map(({ name }) => name), 'other'];
export const EVENT_OUTCOMES = Object.keys(OUTCOMES);
export const SILENCERS = ['silence', 'maintenance'];
export const LETTER_OUTCOMES = ['replayed', 'discarded'];
export const DIRECTIONS = ['in', 'out'];
/** `none`: endpoints without a credential, such as the login. */
export const CLASSES = [...COUNTED_CLASSES, 'none'];
export const LIMITED_CLASSES = [...CLASSES, ...CREDENTIAL_KINDS];
