const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const PIECES = /\.\.|[\p{L}\p{N}](?:[\p{L}\p{N}:+./'’_-]*[\p{L}\p{N}])?|[-–—]/gu;

/** The words of a time as people and parameters write it: `last_30_days`, `2026-11-01/2026-11-05`, `Yesterday's`. */
export const timeWords = (text: string): string[] => {
  const apart = text
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(POSSESSIVE, '')
    .replace(/(\d)(?:\.\.|\/)(?=\d{4}-)/g, '$1 .. ');
  return [...apart.matchAll(PIECES)].map(([word]) => word);
};
