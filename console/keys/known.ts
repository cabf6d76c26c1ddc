import type { Shortcut } from './registry.ts';

type Known = Pick<Shortcut, 'keys' | 'words'> & { readonly where: string };

const LISTS = 'in lists of groups and events';
const GROUP = 'on the page of a group';

/** Keys that act on some pages only; the help names them on the others, too. */
export const KNOWN_KEYS: readonly Known[] = [
  { keys: 'j', words: 'Next row, k the previous one', where: 'in lists' },
  { keys: 'Enter', words: 'Open', where: 'in lists' },
  { keys: 'x', words: 'Select, Shift x a range', where: 'in lists' },
  { keys: '.', words: 'Take in what is new', where: LISTS },
  { keys: '/', words: 'Search', where: 'on pages with a search' },
  { keys: 'a', words: 'Acknowledge, Shift a unacknowledge', where: LISTS },
  { keys: 'r', words: 'Resolve, Shift r reopen', where: LISTS },
  { keys: 's', words: 'Silence', where: LISTS },
  { keys: 'i', words: 'Assign to me, Shift i assign', where: LISTS },
  { keys: 'n', words: 'Write a note', where: LISTS },
  { keys: 'm', words: 'Merge', where: 'in the list of groups, and on the page of one' },
  { keys: 'p', words: 'Split what is selected off', where: GROUP },
  { keys: 'e', words: 'Explain why two are together', where: 'in the list of events, and on the page of a group' },
  { keys: 'f', words: 'Fit the map', where: 'where there is a map' },
  { keys: '[', words: 'Previous, ] next', where: `${GROUP}, and beside an event that is open` },
];
