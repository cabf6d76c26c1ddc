/** The first balanced `{…}` of a text, braces in strings aside; null when there is none. One pass per opening brace outside an object. */
export const firstObject = (text: string): string | null => {
  const start = text.indexOf('{');
  if (start < 0) return null;
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return text.slice(start, at + 1);
  }
  return null;
};
