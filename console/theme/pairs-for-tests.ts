import type { Colour } from './tokens.ts';

/* Pairs of adjacent colors, and their required contrast. */

/** Grounds of texts. */
export const GROUNDS = [
  'ground',
  'panel',
  'raised',
  'sunken',
  'hover',
  'selected',
] as const satisfies readonly Colour[];
/** Texts readable on any ground: at least 4.5:1. */
export const TEXTS = [
  'text',
  'dim',
  'accent',
  'critical',
  'major',
  'minor',
  'warning',
  'info',
  'good',
  'caution',
] as readonly Colour[];
/** Texts on grounds of their own: at least 4.5:1. */
export const PAIRS: readonly (readonly [text: Colour, ground: Colour])[] = [
  ['onAccent', 'accent'],
  ['text', 'cautionGround'],
  ['caution', 'cautionGround'],
  ['text', 'badGround'],
  ['critical', 'badGround'],
  ['text', 'goodGround'],
  ['good', 'goodGround'],
];
/** Borders of controls and other marks: at least 3:1 on any ground. */
export const MARKS = ['edge'] as const satisfies readonly Colour[];
