/** Maximum of free text for a model. */
const MAX_TEXT = 300;

const isUnseen = (code: number): boolean =>
  code < 32 ||
  (code >= 0x7f && code <= 0x9f) ||
  code === 0xad ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  code === 0x61c ||
  code === 0x180e ||
  code === 0xfeff ||
  (code >= 0xfff0 && code <= 0xfffb) ||
  (code >= 0xe0000 && code <= 0xe0fff);

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;

/**
 * Returns the text without control, bidirectional and zero-width characters, blanks as one space each, cut to this
 * number of characters.
 */
export const cleaned = (text: string, most = MAX_TEXT): string => {
  const kept: string[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isBlank(code)) {
      if (kept.length > 0 && kept.at(-1) !== ' ') kept.push(' ');
    } else if (!isUnseen(code)) kept.push(character);
    if (kept.length === most) break;
  }
  return kept.join('').trim();
};

/** Rare characters of which one is drawn per request. */
const MARKS = '\u00a4\u00a6\u00a7\u00ac\u00b6\u00b7\u00b8\u00ba\u02c6\u02dc\u203b\u204b\u2056\u2058\u205b\u205c';
export const MARK_COUNT = MARKS.length;

/** The mark of that number, or the next one that the texts do not have. */
export const drawMark = (number: number, texts: readonly string[]): string => {
  for (let i = 0; i < MARK_COUNT; i++) {
    const mark = MARKS.charAt((number + i) % MARK_COUNT);
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
  return MARKS.charAt(number % MARK_COUNT);
};

/**
 * Replaces the blanks of free text by marks: a model can distinguish it from our words, and its orders are no
 * sentences.
 */
export const marked = (text: string, mark: string): string => text.replaceAll(' ', mark);
export const unmarked = (text: string, mark: string): string => text.replaceAll(mark, ' ');
