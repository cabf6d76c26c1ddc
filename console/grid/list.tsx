import { useRef } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import classes from './grid.module.css';
import { handsOf } from './list-hands.ts';
import { LIST_KEYS } from './list-keys.ts';
import type { ListProps } from './list-props.ts';
import { ListRow } from './list-row.tsx';
import { useListRows } from './use-list-rows.ts';

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
