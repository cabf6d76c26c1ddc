import type { MessageReading } from './read-message.ts';

const CLOCK = /^(?:at |around |about )?(?:\d{1,2}(?::\d{2})?(?: ?[ap]m)?|noon|midnight)\b/i;
const HALF_HOUR_MS = 30 * 60_000;
/** `at 00:30`: the middle of the range that such a time is; null: another range. */
export const instantOf = ({ time }: MessageReading): number | null =>
  time !== null && CLOCK.test(time.text) && time.range.to - time.range.from <= 2 * HALF_HOUR_MS
    ? time.range.from + HALF_HOUR_MS
    : null;
