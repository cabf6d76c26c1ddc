import type { FieldConflict } from '#console/forms/conflict.ts';
import type { FormChange } from '#console/forms/form-change.ts';
import type { Severity } from '#domain/event/event.ts';
import type { WebhookData, WebhookSettingsInput } from './api.ts';
import { FORMAT_WORDS, kindsWords, severityWords } from './webhook-text.ts';

/** A registration as a form holds it. */
export interface WebhookDraft {
  readonly name: string;
  readonly url: string;
  readonly format: WebhookData['format'];
  readonly events: readonly WebhookData['events'][number][];
  readonly minSeverity: Severity | null;
  readonly sources: readonly string[];
  readonly services: readonly string[];
  readonly tags: readonly string[];
  readonly ciTypes: readonly string[];
  readonly onlyCauses: boolean;
  /** One line each; null: existing ones stay, as their values cannot be read. */
  readonly headers: string | null;
  /** Empty: an existing one stays, as it cannot be read. */
  readonly replySecret: string;
}

/** Formats whose services sign replies by a secret of their own. */
export const hasReplySecret = (format: WebhookDraft['format']): boolean => format === 'slack' || format === 'pagerduty';

/** Start and end of groups and of ungrouped events. */
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
  replySecret: '',
};

type Registered = Pick<WebhookData, 'name' | 'url' | 'format' | 'events' | 'filter'>;

export const draftOf = ({ name, url, format, events, filter }: Registered): WebhookDraft => ({
  name,
  url,
  format,
  events,
  headers: null,
  replySecret: '',
  minSeverity: filter?.minSeverity ?? null,
  sources: filter?.sources ?? [],
  services: filter?.services ?? [],
  tags: filter?.tags ?? [],
  ciTypes: filter?.ciTypes ?? [],
  onlyCauses: filter?.onlyCauses ?? false,
});

/** Parses `Name: value` by line. Throws an error with the invalid line. */
export const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line, at) => {
      if (line.trim() === '') return [];
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error(`Header line ${at + 1}: expected “Name: value”`);
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

/** Returns the input for the server. */
export const inputOf = (draft: WebhookDraft, active: boolean): WebhookSettingsInput => ({
  name: draft.name.trim(),
  url: draft.url.trim(),
  format: draft.format,
  events: [...draft.events],
  active,
  filter: filterOf(draft),
  ...(draft.headers !== null && { headers: headersOf(draft.headers) }),
  ...(hasReplySecret(draft.format) && draft.replySecret !== '' && { reply_secret: draft.replySecret.trim() }),
});

type DraftField = Exclude<keyof WebhookDraft, 'headers' | 'replySecret'>;
const list = (values: readonly string[]): string => values.join(', ');
const TOLD: { readonly [F in DraftField]: readonly [words: string, text: (value: WebhookDraft[F]) => string] } = {
  name: ['Name', String],
  url: ['URL', String],
  format: ['Format', (format) => FORMAT_WORDS[format]],
  events: ['Events', kindsWords],
  minSeverity: ['Severity', (least) => (least === null ? 'any' : severityWords(least))],
  sources: ['Sources', list],
  services: ['Services', list],
  tags: ['Tags', list],
  ciTypes: ['CI types', list],
  onlyCauses: ['Root causes only', (only) => (only ? 'yes' : 'no')],
};
const FIELDS = Object.keys(TOLD) as DraftField[];
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const textOf = (draft: WebhookDraft, field: DraftField): string => TOLD[field][1](draft[field] as never);

/** Changes of `base` by saving `mine`. Values of headers and secrets are not shown. */
export const changesOf = (base: WebhookDraft, mine: WebhookDraft): FormChange[] => [
  ...FIELDS.filter((field) => !isSame(base[field], mine[field])).map((field) => ({
    field: TOLD[field][0],
    before: textOf(base, field),
    after: textOf(mine, field),
  })),
  ...(mine.headers === null ? [] : [{ field: 'Headers', before: 'existing headers', after: 'your headers' }]),
  ...(mine.replySecret === '' ? [] : [{ field: 'Reply secret', before: 'existing secret', after: 'your secret' }]),
];

/** Changes by another person between `base` and `now`, beside the wishes of this one. */
export const conflictsOf = (base: WebhookDraft, now: WebhookDraft, mine: WebhookDraft): FieldConflict[] =>
  FIELDS.filter((field) => !isSame(base[field], now[field])).map((field) => ({
    field,
    words: TOLD[field][0],
    theirs: textOf(now, field),
    mine: isSame(mine[field], base[field]) || isSame(mine[field], now[field]) ? null : textOf(mine, field),
  }));

/** Applies the user's changes to the current state; fields of `theirs` retain the current value. */
export const merged = (
  base: WebhookDraft,
  now: WebhookDraft,
  mine: WebhookDraft,
  theirs: ReadonlySet<string>,
): WebhookDraft => {
  const stay = FIELDS.filter((field) => theirs.has(field) || isSame(mine[field], base[field]));
  return { ...mine, ...Object.fromEntries(stay.map((field) => [field, now[field]])) };
};
