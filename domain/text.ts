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
