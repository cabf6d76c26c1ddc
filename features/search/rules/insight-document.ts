import type { SearchDocument } from '#domain/search/document.ts';

interface CiText {
  readonly ciId: string;
  readonly content: string;
  readonly generatedAt: number;
  /** True if it cites events. */
  readonly hasEvents: boolean;
}

/** The newest insight about a CI as it is found; its id is that of the CI. */
export const insightDocument = ({ ciId, content, generatedAt, hasEvents }: CiText, name: string): SearchDocument => ({
  kind: 'insight',
  id: ciId,
  title: `Insight about ${name}`,
  text: content,
  at: generatedAt,
  facts: { hasEvents },
});

/** Only callers who may read events are shown it. */
export const tellsOfEvents = ({ kind, facts }: SearchDocument): boolean =>
  kind === 'insight' && facts?.hasEvents === true;
