/**
 * Position up to which changes were sent. A lane is a sequence of changes: embedded mode has one, distributed mode one
 * per topic. Every process with the same origin counts the lanes alike.
 */
interface Position {
  readonly origin: string;
  /** Number of the last sent change by lane; −1: none. */
  readonly lanes: readonly number[];
}

const MAX_CHARACTERS = 200;
const ORIGIN = /^[0-9A-Za-z]{1,32}$/;
const NUMBER = /^\d{1,15}$/;

/** Next numbers instead of last ones, so that none is negative. */
export const positionText = ({ origin, lanes }: Position): string =>
  [origin, ...lanes.map((last) => last + 1)].join('.');

/** Null when no process has written it. */
export const readPosition = (text: string): Position | null => {
  if (text.length > MAX_CHARACTERS) return null;
  const [origin = '', ...lanes] = text.split('.');
  if (!ORIGIN.test(origin) || !lanes.every((next) => NUMBER.test(next))) return null;
  return { origin, lanes: lanes.map((next) => Number(next) - 1) };
};
