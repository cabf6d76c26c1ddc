/** Characters that turn the direction of a text, also beyond its own field. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Those and the controls of a terminal, without ends of lines and tabs. */
const OBEYED = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const TURNING_MARK = /‹U\+(061C|200[EF]|202[A-E]|206[6-9])›/g;

const markOf = (character: string): string =>
  `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`;

/** Replaces characters that change the text direction with a visible mark: `‹U+202E›`. */
export const withTurnsShown = (text: string): string => text.replaceAll(TURNING, markOf);

/** The text that was shown so. */
export const withTurnsMeant = (text: string): string =>
  text.replaceAll(TURNING_MARK, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Replaces terminal control characters in the text with visible marks. */
export const forTerminal = (text: string): string => text.replaceAll(OBEYED, markOf);
