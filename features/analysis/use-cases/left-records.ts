/** Kind of the records that name events which a storm left without an analysis. */
export const LEFT_KIND = 'analysis-left';

export interface Left {
  readonly ids: readonly string[];
}
