import { number } from '#console/text/counts.ts';

export const showing = (shown: number, total: number) =>
  `Showing ${number(shown)} of ${number(Math.max(total, shown))}${total <= shown ? '+' : ''}`;
export const loadMore = 'Load more';
export const selected = (size: string) => `${size} selected`;
export const filterBy = 'Filter by';
export const search = 'Search';
export const filter = 'Filter';
export const remove = (words: string) => `Remove ${words}`;
export const meAndMyTeams = 'Me and my teams';
export const unassigned = 'Unassigned';
export const until = (to: string) => `until ${to}`;
export const since = (from: string) => `from ${from}`;
export const unknownFilter = (name: string) => `unknown filter: ${name}`;
export const notATime = (name: string, value: string) => `invalid time: ${name}=${value}`;
export const hasNoEffectPage = (text: string) => `${text}. It has no effect on this page.`;
export const newItems = (count: string) => `${count} new`;
export const showNewItems = 'Show new items';
export const pressToShowThem = (words: string) => `${words}. Press . to show them.`;
export const selection = 'Selection';
export const clearSelection = 'Clear selection';
export const actions = 'Actions';
export const matching = (total: string, things: string) => `${total} matching ${things}`;
export const allSelected = (all: string) => `All ${all} selected`;
export const selectAll = (all: string) => `Select all ${all}`;
export const addFilter = 'Add filter';
export const filters = 'Filters';
export const clearFilters = 'Clear filters';
