/** What listeners of an analysis are told (docs/specification.md §12). */

export const STEPS = ['load', 'hubs', 'split', 'classify', 'name', 'score'] as const;
export type Step = (typeof STEPS)[number];

export interface Progress {
  readonly type: 'progress';
  readonly step: Step;
  readonly message: string;
  readonly current: number;
  readonly total: number;
  readonly serviceName?: string;
  readonly category?: string;
}

export type ProgressEvent =
  | Progress
  | { readonly type: 'complete'; readonly totalServices: number; readonly discoveredAt: string }
  | { readonly type: 'error'; readonly error: string };

export const isLast = ({ type }: ProgressEvent): boolean => type !== 'progress';
