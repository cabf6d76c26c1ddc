import type { Severity } from '#domain/event/event.ts';

/** Paths in a box of 12 by 12: square, triangle, disc, diamond, ring. */
export const SEVERITY_SHAPES: Readonly<Record<Severity, string>> = {
  critical: 'M1 1h10v10H1z',
  major: 'M6 .5 11.8 11H.2z',
  minor: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1z',
  warning: 'M6 .2 11.8 6 6 11.8.2 6z',
  info: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
};

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  major: 'Major',
  minor: 'Minor',
  warning: 'Warning',
  info: 'Info',
};
