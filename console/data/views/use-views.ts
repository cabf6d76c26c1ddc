import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo } from 'react';
import { listViews, type View } from '#console/api/views.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import type { ViewPage } from '#domain/access/console.ts';
import { type ColumnChoice, shownOf } from './columns.ts';
import { leadingTo, searchOf } from './views.ts';

const VIEWS = ['views'] as const;

export interface Views {
  readonly page: ViewPage;
  /** Views of this page: shared ones and the user's own. */
  readonly all: readonly View[];
  /** The selected view. */
  readonly current: View | undefined;
  /** Null: the list as it is without a view. */
  readonly choose: (view: View | null) => void;
  /** Id of the view that the page begins with. */
  readonly first: string | undefined;
  readonly beginWith: (view: View | null) => void;
  readonly readAnew: () => Promise<void>;
}

/** The views of a page; the user's default is opened when the address names nothing else. */
export const useViews = (page: ViewPage, address: Address): Views => {
  const { settings } = useAppServices();
  const queries = useQueryClient();
  const { views: firsts } = useSettings();
  const { data } = useRead(VIEWS, (call, signal) => listViews(call, signal));
  const all = (data ?? []).filter((view) => view.page === page);
  const isEmpty = Object.keys(address.query).length === 0;
  const choose = (view: View | null, replace = false): void =>
    address.change(leadingTo(address.query, view === null ? {} : searchOf(view)), { replace });

  const begin = useEffectEvent(() => {
    const first = all.find(({ id }) => id === firsts[page]);
    if (isEmpty && first !== undefined) choose(first, true);
  });
  const isRead = data !== undefined;
  useEffect(() => {
    if (isRead) begin();
  }, [isRead]);

  return {
    page,
    all,
    current: all.find(({ id }) => id === address.query.view),
    choose,
    first: firsts[page],
    beginWith(view) {
      const { [page]: _, ...others } = firsts;
      settings.change({ views: view === null ? others : { ...others, [page]: view.id } });
    },
    readAnew: () => queries.invalidateQueries({ queryKey: VIEWS }),
  };
};

export interface Columns {
  readonly choices: readonly ColumnChoice[];
  readonly shown: readonly string[];
  readonly has: (id: string) => boolean;
  /** Undefined: as at the beginning. */
  readonly change: (shown: readonly string[] | undefined) => void;
}

/** The columns of a list: of the view, as long as one is selected, else of the user. */
export const useColumns = (choices: readonly ColumnChoice[], { page, current }: Views, address: Address): Columns => {
  const { settings } = useAppServices();
  const { columns: kept } = useSettings();
  const inAddress = address.query.columns;
  const wanted = kept[page];
  const shown = useMemo(() => shownOf(choices, inAddress?.split(',') ?? wanted), [choices, inAddress, wanted]);
  return {
    choices,
    shown,
    has: useCallback((id) => shown.includes(id), [shown]),
    change(next) {
      if (current !== undefined) return address.change({ columns: (next ?? shownOf(choices, undefined)).join(',') });
      const { [page]: _, ...others } = kept;
      settings.change({ columns: next === undefined ? others : { ...others, [page]: next } });
      if (inAddress !== undefined) address.change({ columns: null });
    },
  };
};
