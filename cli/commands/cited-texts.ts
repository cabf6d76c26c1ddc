import type { AnalysisReply } from '#cli/client/replies.ts';
import { clip } from '#cli/terminal/screen.ts';

const LABEL = 60;

/** Returns the sentence with its references in brackets. */
export const marked = (text: string, refs: readonly string[] = []): string =>
  refs.length === 0 ? text : `${text} [${refs.join(', ')}]`;

interface Cited {
  readonly claims: readonly { readonly text: string; readonly refs: readonly string[] }[];
}
export const sentences = ({ claims }: Cited): string[] => claims.map(({ text, refs }) => marked(text, refs));

/** Citations of sentences, a line each; `width` of the word before the first. */
export const citationLines = (citations: NonNullable<AnalysisReply['citations']>, width = 'from: '.length): string[] =>
  citations.map(
    ({ ref, kind, label, href }, i) =>
      `${(i === 0 ? 'from:' : '').padEnd(width)}${ref} ${kind} "${clip(label, LABEL)}" ${href}`,
  );
