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
  /** Address of an opened row below `ui/`, for those who open it in a tab of its own. */
  readonly hrefOf?: (row: Row) => string;
  /** A click opens the row, as Enter does; without it a click only moves the focus. */
  readonly opensByClick?: boolean;
  /** Told of the rows that are seen, so that they can be loaded. */
  readonly onSeen?: (first: number, last: number) => void;
  readonly header?: ReactNode;
  readonly faded?: (row: Row) => boolean;
  readonly autoFocus?: boolean;
  readonly handle?: Ref<ListHandle>;
}
