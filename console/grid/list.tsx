import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Shortcut } from '#console/keys/registry.ts';
import classes from './grid.module.css';
import { handsOf } from './list-hands.ts';
import type { ListProps } from './list-props.ts';
import { ListRow } from './list-row.tsx';
import * as text from './texts.ts';

const OVERSCAN = 8;

/** The rows in sight and some around them; the one with the focus stays, or the focus would be lost by scrolling. */
const drawnRange = ({ startIndex, endIndex, overscan, count }: Range, focusAt: number): number[] => {
  const [first, last] = [Math.max(0, startIndex - overscan), Math.min(count - 1, endIndex + overscan)];
  const range = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
  if (count === 0 || (focusAt >= first && focusAt <= last)) return range;
  return focusAt < first ? [focusAt, ...range] : [...range, focusAt];
};

const indexIn = (order: readonly string[], id: string): number | undefined => {
  const index = order.indexOf(id);
  return index < 0 ? undefined : index;
};

/** A list that loads late leaves the focus in a field, in a dialog or beside the list. */
const isElsewhere = (): boolean =>
  (document.activeElement?.closest('input, textarea, select, aside, [role=dialog]') ?? null) !== null;

/** Rows of a list to render, and the one with the focus. */
function useListRows<Row>(list: ListProps<Row>, scroller: RefObject<HTMLDivElement | null>) {
  const { count, rowAt, idOf, order, rowHeight, focused, onSeen } = list;
  const wantsFocus = useRef<'asked' | 'at first' | null>(list.autoFocus ? 'at first' : null);
  const [at, setAt] = useState(0);
  const focusAt = Math.max(0, Math.min(count - 1, focused === null ? at : (indexIn(order, focused) ?? at)));

  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor: (range) => drawnRange(range, focusAt),
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onSeen?.(first, last), [onSeen, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows must be measured again when their height changes.
  useEffect(() => virtualizer.measure(), [rowHeight]);

  const moveTo = (index: number): void => {
    const row = rowAt(index);
    wantsFocus.current = 'asked';
    setAt(index);
    if (row !== undefined) list.onFocused(idOf(row));
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  useImperativeHandle(list.handle, () => ({
    focus: () => moveTo(focusAt),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'start' }),
  }));
  // A list begins at the row that it had left, or that the address names.
  const isBegun = useRef(false);
  useLayoutEffect(() => {
    if (isBegun.current || count === 0) return;
    isBegun.current = true;
    if (focusAt > 0) virtualizer.scrollToIndex(focusAt, { align: 'center' });
  });
  // A row that is scrolled into view renders later than the key press.
  useLayoutEffect(() => {
    const wanted = wantsFocus.current;
    if (wanted === null) return;
    const row = scroller.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
    if (row == null) return;
    wantsFocus.current = null;
    if (wanted === 'asked' || !isElsewhere()) row.focus({ preventScroll: true });
  });
  return { items, height: virtualizer.getTotalSize(), focusAt, moveTo };
}

const shown = (keys: string, words: string): Shortcut => ({
  keys,
  words,
  section: 'List',
  isActive: false,
  run: () => undefined,
});

/** Handled by the list that has the focus; here for the help alone. */
const LIST_KEYS: readonly Shortcut[] = [
  shown('j', 'Next row (also ↓)'),
  shown('k', 'Previous row (also ↑)'),
  shown('Enter', 'Open'),
  shown('x', text.selectOrDeselect),
  shown('Shift+x', 'Select a range'),
  shown('mod+a', text.selectAllLoadedRows),
];

/** A list of rows of one height: drawn where they are seen, moved in by keys, with one row in the tab order. */
export function List<Row>(list: ListProps<Row>) {
  const { count, rowAt, idOf, selection, header } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const { shortcuts } = useSettings();
  const { items, height, focusAt, moveTo } = useListRows(list, scroller);
  const { press, clicked, focusCame } = handsOf({
    list,
    shortcuts,
    focusAt,
    moveTo,
    height: () => scroller.current?.clientHeight ?? 0,
  });
  useShortcuts(LIST_KEYS);
  const { onWidth } = list;
  useLayoutEffect(() => {
    if (scroller.current === null || onWidth === undefined) return;
    const tell = (width: number): void =>
      onWidth(width / Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    tell(scroller.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => entry && tell(entry.contentRect.width));
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [onWidth]);

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={list.label}
      aria-rowcount={header === undefined ? list.total : list.total + 1}
      aria-multiselectable
      data-keys
      className={classes.scroller}
      onKeyDown={press}
      tabIndex={count === 0 ? 0 : -1}
    >
      {header}
      <div
        role="rowgroup"
        className={classes.rows}
        style={{ height, minWidth: list.leastWidth }}
        onClick={clicked}
        onAuxClick={clicked}
        onFocus={focusCame}
      >
        {items.map(({ index, start }) => {
          const row = rowAt(index);
          const id = row === undefined ? null : idOf(row);
          return (
            <ListRow
              key={id ?? `row-${index}`}
              row={row}
              index={index}
              ariaIndex={index + (header === undefined ? 1 : 2)}
              start={start}
              height={list.rowHeight}
              isSelected={id !== null && selection.ids.has(id)}
              isFocused={index === focusAt && list.focused !== null}
              isTabStop={index === focusAt}
              isFaded={(row !== undefined && list.faded?.(row)) || false}
              cells={list.children}
            />
          );
        })}
      </div>
    </div>
  );
}
