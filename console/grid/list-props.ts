import type { ReactNode, Ref } from 'react';
import type { Cells } from './list-row.tsx';
import type { Selection } from './selection.ts';

interface ListHandle {
  /** Moves the focus into the list, to the row that had it. */
  readonly focus: () => void;
  readonly scrollTo: (index: number) => void;
}

export interface ListProps<Row> {
  readonly label: string;
  readonly count: number;
  /** Total, including rows that are not loaded. */
  readonly total: number;
  readonly rowAt: (index: number) => Row | undefined;
  readonly idOf: (row: Row) => string;
  /** Ids in their order, for ranges. */
  readonly order: readonly string[];
  readonly rowHeight: number;
  /** Width below which the list scrolls sideways. */
  readonly leastWidth?: string | undefined;
  /** Called with its width, rem, whenever it changes. */
  readonly onWidth?: (rem: number) => void;
  /** The cells of a row, each with `role="gridcell"`. */
  readonly children: Cells<Row>;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
  readonly onOpen: (row: Row) => void;
  /** Returns the address of a row below `ui/`, for opening it in a tab of its own. */
  readonly hrefOf?: (row: Row) => string;
  /** A click opens the row, as Enter does; without it a click only moves the focus. */
  readonly opensByClick?: boolean;
  /** Receives the visible rows, so that they can be loaded. */
  readonly onSeen?: (first: number, last: number) => void;
  readonly header?: ReactNode;
  readonly faded?: (row: Row) => boolean;
  readonly autoFocus?: boolean;
  readonly handle?: Ref<ListHandle>;
}
