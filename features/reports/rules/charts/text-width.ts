import { itemAt } from '#domain/assert.ts';

/** Widths of characters in thousandths of the font size, rounded up so that texts never exceed their space. */
const SPACE = 260;
const NARROW = 290;
const SLIM = 410;
const BROAD = 910;
const CAPITAL = 690;
const USUAL = 590;
const WHOLE = 1_000;

const widthOf = (character: string): number => {
  if (character === ' ') return SPACE;
  if (/[iljI.,:;'|!]/.test(character)) return NARROW;
  if (/[ftr()[\]/\-"\\]/.test(character)) return SLIM;
  if (/[mwMW@%]/.test(character)) return BROAD;
  if (/[A-Z#&]/.test(character)) return CAPITAL;
  // Characters of most later scripts are as wide as high.
  return (character.codePointAt(0) ?? 0) < 0x1100 ? USUAL : WHOLE;
};

/** Estimates the width of a text in Roboto. */
export const textWidth = (text: string, size: number): number => {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return (width * size) / WHOLE;
};

const ELLIPSIS = '…';
const BREAKS = /[\s\-._/:@]/;

/** Returns the number of characters that fit; at least one. */
const fitting = (characters: readonly string[], width: number, size: number): number => {
  let [used, fits] = [0, 0];
  for (const character of characters) {
    used += (widthOf(character) * size) / WHOLE;
    if (used > width) break;
    fits += 1;
  }
  return Math.max(1, fits);
};

/** Returns the last break position in the second half of the fitting text, or its end. */
const breakAt = (characters: readonly string[], fits: number): number => {
  for (let at = fits; at > fits / 2; at--) if (BREAKS.test(itemAt(characters, at - 1))) return at;
  return fits;
};

/** Breaks a text into lines of this width; an ellipsis replaces the rest. */
export const wrapped = (text: string, width: number, size: number, most: number): string[] => {
  // Longer texts never fit.
  let rest = [...text.slice(0, 1_000)];
  const lines: string[] = [];
  while (rest.length > 0) {
    const fits = fitting(rest, width, size);
    if (fits >= rest.length) return [...lines, rest.join('').trim()];
    if (lines.length === most - 1) {
      const kept = fitting(rest, width - textWidth(ELLIPSIS, size), size);
      return [...lines, `${rest.slice(0, kept).join('').trim()}${ELLIPSIS}`];
    }
    const end = breakAt(rest, fits);
    lines.push(rest.slice(0, end).join('').trim());
    rest = rest.slice(end);
  }
  return lines;
};
