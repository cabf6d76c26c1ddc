/** Kind of the records that name events which a storm left without an analysis. */
export const DEFERRED_KIND = 'analysis-left';

export interface DeferredAnalyses {
  readonly ids: readonly string[];
}
