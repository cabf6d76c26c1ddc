import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { comboOf, isCharacter } from '#console/keys/combo.ts';
import type { ListProps } from './list-props.ts';
import { indexOfRow } from './list-row.tsx';
import { movedTo } from './move.ts';
import { allOrNone, ranged, toggled } from './selection.ts';

/** Keys that belong to a button or link inside a row. */
const isInner = ({ target }: { readonly target: EventTarget }): boolean =>
  target instanceof Element && target.closest('a, button, input, [role=menuitem]') !== null;

const [MAIN, MIDDLE] = [0, 1];
/** A click that opens a link in a tab of its own. */
const isForNewTab = ({ button, ctrlKey, metaKey }: MouseEvent): boolean =>
  button === MIDDLE || (button === MAIN && (ctrlKey || metaKey));

interface HandsOptions<Row> {
  readonly list: ListProps<Row>;
  /** True if letters are shortcuts. */
  readonly shortcuts: boolean;
  readonly focusAt: number;
  readonly moveTo: (index: number) => void;
  /** Px of the list in sight. */
  readonly height: () => number;
}

/** Effects of keys and clicks in a list. */
export const handsOf = <Row>({ list, shortcuts, focusAt, moveTo, height }: HandsOptions<Row>) => {
  const { count, rowAt, idOf, order, selection, onSelection } = list;
  const press = (event: KeyboardEvent): void => {
    const combo = comboOf(event.nativeEvent);
    if (!shortcuts && isCharacter(combo)) return;
    const row = rowAt(focusAt);
    const next = movedTo(combo, focusAt, count, Math.max(1, Math.floor(height() / list.rowHeight) - 1));
    if (next !== null) moveTo(next);
    else if (combo === 'mod+a') onSelection(allOrNone(selection, order));
    else if (row === undefined || isInner(event)) return;
    else if (combo === 'Enter') list.onOpen(row);
    else if (combo === 'x' || combo === 'Space') onSelection(toggled(selection, idOf(row)));
    else if (combo === 'Shift+x' || combo === 'Shift+Space') onSelection(ranged(selection, idOf(row), order));
    else return;
    event.preventDefault();
  };
  const clicked = (event: MouseEvent): void => {
    const index = indexOfRow(event);
    const row = index === null ? undefined : rowAt(index);
    if (index === null || row === undefined || isInner(event)) return;
    if (list.hrefOf !== undefined && isForNewTab(event)) {
      open(new URL(list.hrefOf(row), document.baseURI), '_blank', 'noopener');
      return;
    }
    if (event.button !== MAIN) return;
    // It was drawn over a text, to select it.
    if (!event.shiftKey && getSelection()?.isCollapsed === false) return;
    if (event.shiftKey) onSelection(ranged(selection, idOf(row), order));
    else if (list.opensByClick) list.onOpen(row);
    else moveTo(index);
  };
  const focusCame = (event: FocusEvent): void => {
    const index = event.target.matches('[role=row]') ? indexOfRow(event) : null;
    const row = index === null ? undefined : rowAt(index);
    if (row !== undefined && list.focused !== idOf(row)) list.onFocused(idOf(row));
  };
  return { press, clicked, focusCame };
};
