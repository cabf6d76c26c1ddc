import type { MarkKind } from '#console/components/mark/kinds.ts';
import { count, number } from '#console/text/counts.ts';
import type { SourceFailure } from '#features/topology-sources/rules/source.ts';
import type { SourceRunData, TopologySourceData } from './api.ts';
import * as text from './texts.ts';

type Run = NonNullable<SourceRunData['run']>;

export const sourceState = (source: TopologySourceData): { readonly kind: MarkKind; readonly words: string } => {
  if (source.held !== null) return { kind: 'caution', words: text.waitingForConfirmation };
  if (source.stale_since !== null) return { kind: 'bad', words: text.failing };
  if (source.paused) return { kind: 'quiet', words: text.paused };
  if (source.last_run === null) return { kind: 'quiet', words: text.notRunYet };
  return source.error === null ? { kind: 'good', words: text.healthy } : { kind: 'caution', words: text.someFailed };
};

const STEPS: Readonly<Record<string, string>> = {
  refused_address: text.allowAddress,
  refused_credentials: text.checkCredentials,
  wrong_url: text.checkUrl,
  server_error: text.serverFails,
  unreachable: text.checkReachable,
} satisfies Record<SourceFailure, string>;
/** The next step by the code of a failure; null: none. */
export const nextStep = (code: string | null): string | null => STEPS[code ?? ''] ?? null;

/** `412 CIs, 37 alerts firing`. */
export const foundWords = ({ cis, alerts }: Run): string =>
  [count(cis.total, 'CI'), ...(alerts === null ? [] : [`${count(alerts, 'alert')} firing`])].join(', ');

const CHANGES = [
  ['created', text.created],
  ['updated', text.updated],
  ['missing', text.noLongerReported],
  ['ended', text.retired],
] as const;
const SETS = [
  ['cis', text.cis],
  ['relationships', text.relationships],
] as const;

export interface ShownChange {
  readonly title: string;
  readonly total: number;
  readonly names: readonly string[];
  /** Not among the names. */
  readonly more: number;
}

/** Changes that a run has made, or would make; empty: none. */
export const shownChanges = (
  counts: Pick<Run, 'cis' | 'relationships'>,
  changes: NonNullable<SourceRunData['changes']>,
): readonly ShownChange[] =>
  SETS.flatMap(([set, words]) =>
    CHANGES.flatMap(([kind, verb]) => {
      const total = counts[set][kind];
      const names = changes[set][kind];
      return total === 0 ? [] : [{ title: `${words} ${verb}`, total, names, more: Math.max(0, total - names.length) }];
    }),
  );

/** `14 CIs, 20 relationships, 8 pods`. */
export const sizeWords = ({ cis, relationships, pods }: Run): string =>
  [
    count(cis.total, 'CI'),
    count(relationships.total, 'relationship'),
    ...(pods === 0 ? [] : [count(pods, 'pod')]),
  ].join(', ');

export const changeWords = (counts: Pick<Run, 'cis' | 'relationships'>): string =>
  SETS.map(([set, words]) => {
    const { created, updated, ended } = counts[set];
    return `${words}: +${number(created)} ~${number(updated)} −${number(ended)}`;
  }).join('; ');
