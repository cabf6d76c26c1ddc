import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { ListProps } from './list-props.ts';

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

/** A list that comes late does not take the focus from a field, from a dialog or from beside the list. */
const isElsewhere = (): boolean =>
  (document.activeElement?.closest('input, textarea, select, aside, [role=dialog]') ?? null) !== null;

/** Which rows of a list are drawn, and which one has the focus. */
export function useListRows<Row>(list: ListProps<Row>, scroller: RefObject<HTMLDivElement | null>) {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew.
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
  // A row that is scrolled to is drawn later than the key that asked for it.
  useLayoutEffect(() => {
    const wanted = wantsFocus.current;
    if (wanted === null) return;
    const row = scroller.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
    if (row == null) return;
    wantsFocus.current = null;
    if (wanted === 'at first' && focusAt > 0) virtualizer.scrollToIndex(focusAt, { align: 'center' });
    if (wanted === 'asked' || !isElsewhere()) row.focus({ preventScroll: true });
  });
  return { items, height: virtualizer.getTotalSize(), focusAt, moveTo };
}
