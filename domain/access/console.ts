import type { Actor } from '#domain/event/event.ts';

/* Console data stored for users. */

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;
/** Lists with filters. */
export const VIEW_PAGES = ['groups', 'events', 'cis', 'services', 'discovery', 'topology'] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

export const MAX_COLUMNS = 40;
export const MAX_HINTS = 50;
export const MAX_OWN_VIEWS = 50;
export const MAX_SHARED_VIEWS = 200;

/** Records by id of the user or of the token. */
export const CONSOLE_KINDS = {
  settings: 'console-settings',
  /** Views of one user, or the shared views: `SHARED_ID`. One record, so that their number is bounded. */
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
  /** Default view by page. */
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
