import type { Actor } from '#domain/event/event.ts';

/* What the console keeps for people. */

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;
/** Lists that people narrow. */
export const VIEW_PAGES = ['groups', 'events', 'cis', 'services', 'discovery', 'topology'] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

export const MAX_COLUMNS = 40;
export const MAX_HINTS = 50;
export const MAX_OWN_VIEWS = 50;
export const MAX_SHARED_VIEWS = 200;

/** By id of the user, or of the token. */
export const CONSOLE_KINDS = {
  settings: 'console-settings',
  /** Views of one person, or those that all share: `SHARED_ID`. One record, so that its number is bounded. */
  views: 'console-views',
} as const;
export const SHARED_ID = '_shared';

export interface ConsoleSettings {
  readonly zone: string | null;
  readonly theme: (typeof THEMES)[number];
  readonly density: (typeof DENSITIES)[number];
  readonly shortcuts: boolean;
  readonly sound: boolean;
  readonly columns: Readonly<Partial<Record<ViewPage, readonly string[]>>>;
  /** By page: the view that it begins with. */
  readonly views: Readonly<Partial<Record<ViewPage, string>>>;
  readonly hints: readonly string[];
}
export const NO_SETTINGS: ConsoleSettings = {
  zone: null,
  theme: 'system',
  density: 'comfortable',
  shortcuts: true,
  sound: false,
  columns: {},
  views: {},
  hints: [],
};

export interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly page: ViewPage;
  readonly query: string;
  readonly columns: readonly string[];
  readonly owner: Actor;
  readonly updatedAt: number;
}
export interface ViewShelf {
  readonly views: readonly StoredView[];
}
