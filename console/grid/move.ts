/**
 * Returns the target of a key from row `at` of `count` rows, `page` of which are visible at once; null for keys that do
 * not move.
 */
export const movedTo = (combo: string, at: number, count: number, page: number): number | null => {
  const last = count - 1;
  const bounded = (index: number): number => Math.max(0, Math.min(last, index));
  switch (combo) {
    case 'j':
    case 'ArrowDown':
      return bounded(at + 1);
    case 'k':
    case 'ArrowUp':
      return bounded(at - 1);
    case 'PageDown':
      return bounded(at + page);
    case 'PageUp':
      return bounded(at - page);
    case 'Home':
      return bounded(0);
    case 'End':
      return bounded(last);
    default:
      return null;
  }
};
