import type { SearchDocument, SearchKind } from '#domain/search/document.ts';
import { cleaned } from '#features/ai/rules/prompt/clean.ts';
import { pseudonymsOf } from '#features/ai/rules/prompt/pseudonyms.ts';
import { redacted } from '#features/ai/rules/prompt/redact.ts';

/** Kinds with vectors: CIs are names, which mean nothing to a model. */
export const EMBEDDED_KINDS: readonly SearchKind[] = ['complaint', 'incident', 'service'];

/** Characters that leave for a model. */
const MAX_TEXT = 600;
/** Names such as `db-07`. */
const NAME = /[\p{L}\p{N}]{1,64}(?:[-_.][\p{L}\p{N}]{1,64}){1,8}/gu;

const namesIn = (text: string): string[] =>
  [...text.matchAll(NAME)].map(([name]) => name).filter((name) => /\d/.test(name));

/** A text as it may leave: without secrets, with `pseudonymise` also without hosts and addresses. */
export function leaving(text: string, pseudonymise: boolean, hosts: readonly string[] = []): string {
  const short = redacted(cleaned(text, MAX_TEXT));
  if (!pseudonymise) return short;
  const facts = [...hosts, ...namesIn(short)].map((value) => ({ name: 'host', value }));
  const item = { alias: '', kind: 'record', id: '', label: short, href: '', facts } as const;
  return pseudonymsOf([item]).hide(short);
}

/** Names in a complaint that hosts may have. */
export const hostsOf = ({ facts }: SearchDocument): readonly string[] =>
  Array.isArray(facts?.places) ? (facts.places as string[]) : [];

/** The meaning of a document, without its hosts. */
export const meaningOf = (document: SearchDocument): string => {
  const places = new Set(hostsOf(document));
  const lines = document.text.split('\n').filter((line) => !places.has(line));
  return [document.title, ...(document.kind === 'complaint' ? lines.slice(0, 2) : lines)].join('\n');
};
