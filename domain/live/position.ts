/**
 * Up to where changes were told. A lane is a sequence in which they come: embedded mode has one, distributed mode one per topic. Every
 * process that has the same origin counts the lanes alike.
 */
interface Position {
  readonly origin: string;
  /** By lane, the number of the last change that was told; −1: none. */
  readonly lanes: readonly number[];
}

const MOST_CHARACTERS = 200;
const ORIGIN = /^[0-9A-Za-z]{1,32}$/;
const NUMBER = /^\d{1,15}$/;

/** Next numbers instead of last ones, so that none is negative. */
export const positionText = ({ origin, lanes }: Position): string =>
  [origin, ...lanes.map((last) => last + 1)].join('.');

/** Null when no process has written it. */
export const readPosition = (text: string): Position | null => {
  if (text.length > MOST_CHARACTERS) return null;
  const [origin = '', ...lanes] = text.split('.');
  if (!ORIGIN.test(origin) || !lanes.every((next) => NUMBER.test(next))) return null;
  return { origin, lanes: lanes.map((next) => Number(next) - 1) };
};
