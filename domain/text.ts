/** Up to U+02FF there is one form of each text. */
const MANY_FORMS = /[^\0-\u02ff]/;

/** One of the ways in which Unicode writes the same text: letters and their accents as one where there is such a letter (NFC). */
export const composed = (text: string): string => (MANY_FORMS.test(text) ? text.normalize('NFC') : text);

/** The text without a mark that is repeated at its end; a regular expression would look at every run of marks in the text. */
export const withoutTrailing = (text: string, mark: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end -= 1;
  return end === text.length ? text : text.slice(0, end);
};

/** The text before the first mark; the whole text when there is none. */
export const textBefore = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
};

/** The three characters that markup reads as its own, as what it shows for them. */
export const markupText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text within XML, HTML and an attribute in double quotes; what XML 1.0 does not allow becomes a mark. */
export const xmlText = (text: string): string =>
  markupText(text.replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')).replaceAll(
    '"',
    '&quot;',
  );

/** Text that a spreadsheet takes for a formula, also behind apostrophes: in a CSV file it gets one more apostrophe before it. */
export const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
