import { xmlText } from '#domain/text.ts';
import { INK } from './palette.ts';

/** Width of every chart; renderers scale it. */
export const WIDTH = 520;
const FONT = 'Roboto, Arial, sans-serif';

/** Escapes single quotes as well, for attributes. */
export const escaped = (text: string): string => xmlText(text).replaceAll("'", '&#39;');

/** One decimal is precise enough for coordinates. */
const at = (value: number): string => String(Math.round(value * 10) / 10);

interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly colour?: string;
}

export const label = ({ x, y, text, size = 9, anchor = 'start', colour = INK.text }: Label): string =>
  `<text x="${at(x)}" y="${at(y)}" font-size="${size}" text-anchor="${anchor}" fill="${colour}">${escaped(text)}</text>`;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const box = ({ x, y, width, height }: Box, colour: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${colour}" stroke="${INK.outline}" stroke-width="0.4"/>`;

export const line = (x1: number, y1: number, x2: number, y2: number, colour: string): string =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${colour}" stroke-width="0.6"/>`;

/** Returns a complete SVG with its description. */
export const picture = (height: number, description: string, parts: readonly string[]): string => {
  const size = `width="${WIDTH}" height="${at(height)}" viewBox="0 0 ${WIDTH} ${at(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONT}" role="img" aria-label="${escaped(description)}">${parts.join('')}</svg>`;
};
