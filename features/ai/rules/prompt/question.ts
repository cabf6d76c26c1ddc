import type { EvidenceItem } from '#domain/ai/evidence.ts';
import { estimateTokens } from '../tokens.ts';
import { cleaned } from './clean.ts';
import { type PromptWording, textIn } from './prompt.ts';
import { NO_PSEUDONYMS } from './pseudonyms.ts';
import { redacted } from './redact.ts';

const MAX_QUESTION = 1_000;
const MAX_HISTORY_TOKENS = 450;
/** Question and history, so that evidence has room. */
const MAX_TOKENS = 700;

/** The user's question. It is shown, and no claim can cite it. */
export interface AskedQuestion {
  readonly text: string;
  /** Words of it that may be names. */
  readonly names: readonly string[];
  /** Earlier questions and answers, the oldest first. */
  readonly history: readonly { readonly asked: string; readonly answered: string }[];
}

/** Holds the names of the question, so that pseudonyms replace them, too; it is never shown. */
export const namesItem = ({ names }: AskedQuestion): EvidenceItem => ({
  alias: '',
  kind: 'query',
  id: 'question',
  label: '',
  href: '',
  facts: names.map((value) => ({ name: 'host', value })),
});

export const textsOf = ({ text, history }: AskedQuestion): readonly string[] => [
  text,
  ...history.flatMap(({ asked, answered }) => [asked, answered]),
];

/**
 * Returns the newest that fit into 450 tokens, or into the rest beside the question. Names of earlier questions have no
 * pseudonym, so with pseudonyms there are none.
 */
const historyLines = ({ history }: AskedQuestion, asked: string, wording: PromptWording): string[] => {
  const lines: string[] = [];
  const left = MAX_TOKENS - estimateTokens(asked, wording.correction);
  let room = wording.pseudonyms === NO_PSEUDONYMS ? Math.min(MAX_HISTORY_TOKENS, left) : 0;
  for (const { asked, answered } of [...history].reverse()) {
    const line = `- ${[asked, answered].map((text) => textIn(redacted(cleaned(text)), wording)).join(' -> ')}`;
    room -= estimateTokens(line, wording.correction);
    if (room < 0) break;
    lines.unshift(line);
  }
  return lines;
};

/** Returns the question, marked like all foreign texts, and the earlier ones. */
export const shownQuestion = (question: AskedQuestion, wording: PromptWording): string => {
  const asked = `QUESTION ${textIn(redacted(cleaned(question.text, MAX_QUESTION)), wording)}`;
  const history = historyLines(question, asked, wording);
  return [...(history.length === 0 ? [] : ['HISTORY', ...history]), asked].join('\n');
};
