import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { comboOf } from '#console/keys/combo.ts';
import classes from './grid.module.css';
import { LIST_KEYS } from './list-keys.ts';
import { type Cells, indexOfRow, ListRow } from './list-row.tsx';
import { movedTo } from './move.ts';
import { allOrNone, ranged, type Selection, toggled } from './selection.ts';

interface ListHandle {
  /** Moves the focus into the list, to the row that had it. */
  readonly focus: () => void;
  readonly scrollTo: (index: number) => void;
}

export interface ListProps<Row> {
  readonly label: string;
  readonly count: number;
  /** All there are, also those that are not loaded. */
  readonly total: number;
  readonly rowAt: (index: number) => Row | undefined;
  readonly idOf: (row: Row) => string;
  /** Ids in their order, for ranges. */
  readonly order: readonly string[];
  readonly rowHeight: number;
  /** Below it the list scrolls sideways. */
  readonly leastWidth?: string | undefined;
  /** The cells of a row, each with `role="gridcell"`. */
  readonly children: Cells<Row>;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
  readonly onOpen: (row: Row) => void;
  /** A click opens the row, as Enter does; without it a click only moves the focus. */
  readonly opensByClick?: boolean;
  /** Told of the rows that are seen, so that they can be loaded. */
  readonly onSeen?: (first: number, last: number) => void;
  readonly header?: ReactNode;
  readonly faded?: (row: Row) => boolean;
  readonly autoFocus?: boolean;
  readonly handle?: Ref<ListHandle>;
}

const OVERSCAN = 8;
/** Keys that belong to a button or link inside a row. */
const isInner = ({ target }: { readonly target: EventTarget }): boolean =>
  target instanceof Element && target.closest('a, button, input, [role=menuitem]') !== null;

/** A list of rows of one height: drawn where they are seen, moved in by keys, with one row in the tab order. */
export function List<Row>(props: ListProps<Row>) {
  const { label, count, total, rowAt, idOf, order, rowHeight, children, selection, focused, header } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(props.autoFocus ?? false);
  const { shortcuts } = useSettings();
  const [at, setAt] = useState(0);
  const focusAt = Math.max(0, Math.min(count - 1, focused === null ? at : (indexIn(order, focused) ?? at)));

  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    // The row with the focus stays in the page, or the focus would be lost by scrolling.
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const [first, last] = [Math.max(0, startIndex - overscan), Math.min(count - 1, endIndex + overscan)];
      const range = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
      if (count === 0 || (focusAt >= first && focusAt <= last)) return range;
      return focusAt < first ? [focusAt, ...range] : [...range, focusAt];
    },
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { onSeen } = props;
  useEffect(() => onSeen?.(first, last), [onSeen, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew.
  useEffect(() => virtualizer.measure(), [rowHeight]);

  const moveTo = (index: number): void => {
    const row = rowAt(index);
    wantsFocus.current = true;
    setAt(index);
    if (row !== undefined) props.onFocused(idOf(row));
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  useImperativeHandle(props.handle, () => ({
    focus: () => moveTo(focusAt),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'start' }),
  }));

  const press = (event: KeyboardEvent): void => {
    const combo = comboOf(event.nativeEvent);
    if (!shortcuts && combo.length === 1) return;
    const row = rowAt(focusAt);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const next = movedTo(combo, focusAt, count, page);
    if (next !== null) moveTo(next);
    else if (combo === 'mod+a') props.onSelection(allOrNone(selection, order));
    else if (row === undefined || isInner(event)) return;
    else if (combo === 'Enter') props.onOpen(row);
    else if (combo === 'x' || combo === 'Space') props.onSelection(toggled(selection, idOf(row)));
    else if (combo === 'Shift+x' || combo === 'Shift+Space') props.onSelection(ranged(selection, idOf(row), order));
    else return;
    event.preventDefault();
  };
  useShortcuts(LIST_KEYS);

  // A row that is scrolled to is drawn later than the key that asked for it.
  useLayoutEffect(() => {
    const row = wantsFocus.current ? scroller.current?.querySelector<HTMLElement>('[role=row][data-focused]') : null;
    if (row == null) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  });
  const clicked = (event: MouseEvent): void => {
    const index = indexOfRow(event);
    const row = index === null ? undefined : rowAt(index);
    if (index === null || row === undefined || isInner(event)) return;
    if (event.shiftKey) props.onSelection(ranged(selection, idOf(row), order));
    else if (props.opensByClick) props.onOpen(row);
    else moveTo(index);
  };
  const focusCame = (event: FocusEvent): void => {
    const index = event.target.matches('[role=row]') ? indexOfRow(event) : null;
    const row = index === null ? undefined : rowAt(index);
    if (row !== undefined && focused !== idOf(row)) props.onFocused(idOf(row));
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={header === undefined ? total : total + 1}
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
        style={{ height: virtualizer.getTotalSize(), minWidth: props.leastWidth }}
        onClick={clicked}
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
              height={rowHeight}
              isSelected={id !== null && selection.ids.has(id)}
              isFocused={index === focusAt}
              isFaded={(row !== undefined && props.faded?.(row)) || false}
              cells={children}
            />
          );
        })}
      </div>
    </div>
  );
}

const indexIn = (order: readonly string[], id: string): number | undefined => {
  const index = order.indexOf(id);
  return index < 0 ? undefined : index;
};
