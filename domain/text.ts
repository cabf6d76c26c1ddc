/** Up to U+02FF there is one form of each text. */
const MANY_FORMS = /[^\0-\u02ff]/;

/** Returns the composed Unicode form: letters and their accents as one where there is such a letter (NFC). */
export const composed = (text: string): string => (MANY_FORMS.test(text) ? text.normalize('NFC') : text);

/**
 * Returns the text without any of the marks at its end; a regular expression would check every run of marks in the text.
 */
export const withoutTrailing = (text: string, marks: string): string => {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return end === text.length ? text : text.slice(0, end);
};

/** The text before the first mark; the whole text when there is none. */
export const textBefore = (text: string, mark: string): string => text.split(mark, 1)[0] ?? text;

/** A name or value in a list of `name:value`, as queries of the interface read it. */
export const pairPart = (text: string): string => text.replaceAll(/[\\,:]/g, '\\$&');

/** Puts the text on one line, of at most this many characters; the last is a mark when some are missing. */
export const clipped = (text: string, length = 80): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= length ? flat : `${flat.slice(0, length - 1)}…`;
};

/** Escapes the three characters that have a meaning in markup. */
export const markupText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const NOT_IN_XML = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text within XML, HTML and an attribute in double quotes; what XML 1.0 does not allow becomes a mark. */
export const xmlText = (text: string): string =>
  markupText(text.replaceAll(NOT_IN_XML, '\uFFFD')).replaceAll('"', '&quot;');

/** Text that a spreadsheet reads as a formula, also after apostrophes: a CSV file puts one more before it. */
export const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Capitalizes the text, as the first word of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Adds the article: `a server`, `an application`, judged by the first letter. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
