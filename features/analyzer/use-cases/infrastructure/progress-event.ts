/** Messages to listeners of an analysis (docs/specification.md §12). */

export const STEPS = ['load', 'hubs', 'split', 'classify', 'name', 'score'] as const;
export type AnalysisStep = (typeof STEPS)[number];

export interface AnalysisProgress {
  readonly type: 'progress';
  readonly step: AnalysisStep;
  readonly message: string;
  readonly current: number;
  readonly total: number;
  readonly serviceName?: string;
  readonly category?: string;
}

export type ProgressEvent =
  | AnalysisProgress
  | { readonly type: 'complete'; readonly totalServices: number; readonly discoveredAt: string }
  | { readonly type: 'error'; readonly error: string };

export const isLast = ({ type }: ProgressEvent): boolean => type !== 'progress';
