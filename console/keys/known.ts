import type { Shortcut } from './registry.ts';
import * as text from './texts.ts';

type KeyHelp = Pick<Shortcut, 'keys' | 'words'> & { readonly where: string };

const LISTS = text.onGroupsAndEvents;
const GROUP = text.onGroupPages;

/** Keys that act on some pages only; the help names them on the others, too. */
export const KNOWN_KEYS: readonly KeyHelp[] = [
  { keys: 'j', words: text.nextRowKPrevious, where: text.inLists },
  { keys: 'Enter', words: text.open, where: text.inLists },
  { keys: 'x', words: text.selectShiftXRange, where: text.inLists },
  { keys: '.', words: text.showNewItems, where: LISTS },
  { keys: '/', words: text.search, where: text.pagesSearch },
  { keys: 'a', words: text.acknowledgeShiftAUnacknowledge, where: LISTS },
  { keys: 'r', words: text.resolveShiftRReopen, where: LISTS },
  { keys: 's', words: text.silence, where: LISTS },
  { keys: 'i', words: text.assignMeShiftI, where: LISTS },
  { keys: 'n', words: text.addNote, where: LISTS },
  { keys: 'm', words: text.merge, where: text.groupsGroupPages },
  { keys: 'p', words: text.splitSelectedEvents, where: GROUP },
  { keys: 'e', words: text.explainTwoEvents, where: text.eventsGroupPages },
  { keys: 'f', words: text.fitMap, where: text.pagesMap },
  { keys: '[', words: text.previousNext, where: text.eventOpen(GROUP) },
];
