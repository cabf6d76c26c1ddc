/** Bodies of scripts that paste texts into JSON without escaping them: read where they have one meaning only. */

const MOST = 1024 * 1024;
const MAX_DEPTH = 32;
const ESCAPES: ReadonlySet<string> = new Set('"\\/bfnrtu');
const CODE = /^[0-9a-f]{4}$/i;
/** The parser of bodies treats these with care, which is not worth it here. */
const CAREFUL = /__proto__|\\u(?:d[89a-f]|00)/i;

/** A control character as JSON writes it. */
const controlText = (control: string): string => JSON.stringify(control).slice(1, -1);

/** Returns a backslash in a string with its escaped character; one that escapes nothing is literal. */
function escapeAt(text: string, at: number): readonly [written: string, length: number] {
  const next = text.charAt(at + 1);
  const isCode = next !== 'u' || CODE.test(text.slice(at + 2, at + 6));
  return ESCAPES.has(next) && isCode ? [text.slice(at, at + 2), 2] : ['\\\\', 1];
}

/** The text with line breaks, tabs and lone backslashes in its strings escaped; undefined when it is nested too deeply. */
function escapedText(text: string): string | undefined {
  let written = '';
  let from = 0;
  let depth = 0;
  let isInString = false;
  const put = (piece: string, at: number, length: number): void => {
    written += text.slice(from, at) + piece;
    from = at + length;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') isInString = !isInString;
    else if (!isInString) {
      depth += sign === '{' || sign === '[' ? 1 : sign === '}' || sign === ']' ? -1 : 0;
      if (depth > MAX_DEPTH) return undefined;
    } else if (sign === '\\') {
      const [piece, length] = escapeAt(text, at);
      put(piece, at, length);
      at += length - 1;
    } else if (sign < ' ') put(controlText(sign), at, 1);
  }
  return written + text.slice(from);
}

/**
 * Returns the value of a text that is JSON except for lone backslashes and raw line breaks in its strings; undefined
 * when it is not.
 */
export function nearlyJson(text: string): unknown {
  if (text.length > MOST || CAREFUL.test(text)) return undefined;
  try {
    return JSON.parse(escapedText(text) ?? '');
  } catch {
    return undefined;
  }
}
