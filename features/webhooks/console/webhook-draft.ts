import type { Clash } from '#console/forms/clash.ts';
import type { FormChange } from '#console/forms/form-change.ts';
import type { Severity } from '#domain/event/event.ts';
import type { WebhookShown, WebhookWish } from './api.ts';
import { FORMAT_WORDS, kindsWords, severityWords } from './webhook-words.ts';

/** A registration as a form holds it. */
export interface WebhookDraft {
  readonly name: string;
  readonly url: string;
  readonly format: WebhookShown['format'];
  readonly events: readonly WebhookShown['events'][number][];
  readonly minSeverity: Severity | null;
  readonly sources: readonly string[];
  readonly services: readonly string[];
  readonly tags: readonly string[];
  readonly ciTypes: readonly string[];
  readonly onlyCauses: boolean;
  /** A line each; null: those that are there stay, as their values cannot be read. */
  readonly headers: string | null;
}

/** Groups and what is in none: when they begin and when they are over. */
const DEFAULT_KINDS = [
  'correlation.created',
  'correlation.resolved',
  'event.ungrouped',
  'event.ungrouped_resolved',
] as const;

export const NEW_WEBHOOK: WebhookDraft = {
  name: '',
  url: '',
  format: 'standard',
  events: [...DEFAULT_KINDS],
  minSeverity: null,
  sources: [],
  services: [],
  tags: [],
  ciTypes: [],
  onlyCauses: false,
  headers: '',
};

type Registered = Pick<WebhookShown, 'name' | 'url' | 'format' | 'events' | 'filter'>;

export const draftOf = ({ name, url, format, events, filter }: Registered): WebhookDraft => ({
  name,
  url,
  format,
  events,
  headers: null,
  minSeverity: filter?.minSeverity ?? null,
  sources: filter?.sources ?? [],
  services: filter?.services ?? [],
  tags: filter?.tags ?? [],
  ciTypes: filter?.ciTypes ?? [],
  onlyCauses: filter?.onlyCauses ?? false,
});

/** `Name: value` by line. Throws an error that says which line is none. */
export const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line, at) => {
      if (line.trim() === '') return [];
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error(`Line ${at + 1} of the headers is not “Name: value”`);
      return [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
    }),
  );

/** Null: all of it is sent. */
export const filterOf = ({ minSeverity, sources, services, tags, ciTypes, onlyCauses }: WebhookDraft) => {
  const lists = Object.entries({ sources, services, tags, ciTypes }).filter(([, values]) => values.length > 0);
  const filter = {
    ...(minSeverity !== null && { minSeverity }),
    ...Object.fromEntries(lists.map(([name, values]) => [name, [...values]])),
    ...(onlyCauses && { onlyCauses }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
};

/** As the server takes it. */
export const wishOf = (draft: WebhookDraft, active: boolean): WebhookWish => ({
  name: draft.name.trim(),
  url: draft.url.trim(),
  format: draft.format,
  events: [...draft.events],
  active,
  filter: filterOf(draft),
  ...(draft.headers !== null && { headers: headersOf(draft.headers) }),
});

type Field = Exclude<keyof WebhookDraft, 'headers'>;
const list = (values: readonly string[]): string => values.join(', ');
const TOLD: { readonly [F in Field]: readonly [words: string, text: (value: WebhookDraft[F]) => string] } = {
  name: ['Name', String],
  url: ['Address', String],
  format: ['Body', (format) => FORMAT_WORDS[format]],
  events: ['Hears of', kindsWords],
  minSeverity: ['Severity', (least) => (least === null ? 'any' : severityWords(least))],
  sources: ['Sources', list],
  services: ['Services', list],
  tags: ['Tags', list],
  ciTypes: ['Types of CIs', list],
  onlyCauses: ['Causes only', (only) => (only ? 'yes' : 'no')],
};
const FIELDS = Object.keys(TOLD) as Field[];
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const textOf = (draft: WebhookDraft, field: Field): string => TOLD[field][1](draft[field] as never);

/** Changes of `base` by saving `mine`. Values of headers are not shown. */
export const changesOf = (base: WebhookDraft, mine: WebhookDraft): FormChange[] => [
  ...FIELDS.filter((field) => !isSame(base[field], mine[field])).map((field) => ({
    field: TOLD[field][0],
    before: textOf(base, field),
    after: textOf(mine, field),
  })),
  ...(mine.headers === null
    ? []
    : [{ field: 'Headers', before: 'those that are there', after: 'those that you wrote' }]),
];

/** Changes by another person between `base` and `now`, beside the wishes of this one. */
export const clashesOf = (base: WebhookDraft, now: WebhookDraft, mine: WebhookDraft): Clash[] =>
  FIELDS.filter((field) => !isSame(base[field], now[field])).map((field) => ({
    field,
    words: TOLD[field][0],
    theirs: textOf(now, field),
    mine: isSame(mine[field], base[field]) || isSame(mine[field], now[field]) ? null : textOf(mine, field),
  }));

/** This person's wishes laid over what stands now; of `theirs` what stands counts. */
export const merged = (
  base: WebhookDraft,
  now: WebhookDraft,
  mine: WebhookDraft,
  theirs: ReadonlySet<string>,
): WebhookDraft => {
  const stay = FIELDS.filter((field) => theirs.has(field) || isSame(mine[field], base[field]));
  return { ...mine, ...Object.fromEntries(stay.map((field) => [field, now[field]])) };
};
