import type { EventRow } from '#console/api/events.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { type ChosenEnd, endOf } from '#console/forms/chosen-end.ts';
import type { Local } from '#console/hooks/use-local.ts';
import { titledAt } from '#domain/event/event-words.ts';
import { labelText } from '#domain/event/silences/labels.ts';
import { type Recurrence, WEEKDAYS } from '#domain/event/silences/recurrence.ts';
import type { LabelMatcher, SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import type { SilenceData } from './api.ts';
import * as texts from './texts.ts';

/** One condition as it is edited; `value`: severities or ids of CIs with commas, a label as `team="db"`. */
export interface SilenceCondition {
  readonly name: Exclude<keyof SilenceMatcher, 'ciIds'>;
  readonly value: string;
  /** Names of its CIs, in the order of their ids. */
  readonly shown?: readonly string[];
}

export const isOfCi = (name: SilenceCondition['name']): boolean => name === 'ciId' || name === 'below';

/** All conditions must hold: a CI including impacted ones replaces the CI alone. */
export const withSuggestion = (
  conditions: readonly SilenceCondition[],
  added: SilenceCondition,
): readonly SilenceCondition[] => [...conditions.filter(({ name }) => !(isOfCi(name) && isOfCi(added.name))), added];

export type SilenceWeekly = Omit<Recurrence, 'weekdays'> & { readonly weekdays: readonly string[] };

/** A silence in its dialog. */
export interface SilenceDraft extends ChosenEnd {
  /** Noun, as in `Silence “SIP registration”`. */
  readonly what: string;
  /** Id of the silence that is edited. */
  readonly id?: string;
  readonly conditions: readonly SilenceCondition[];
  /** Further conditions, offered below. */
  readonly suggestions: readonly SilenceCondition[];
  /** Value of a date field; empty: now. */
  readonly startsAt: string;
  readonly weekly: SilenceWeekly | null;
  readonly reason: string;
}

/** Words that the next title has as well: numbers change from one to the next. */
export const lastingWords = (title: string): string =>
  title
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /\p{L}/u.test(word) && !/\p{N}/u.test(word))
    .join(' ')
    .slice(0, 255);

const EMPTY: SilenceDraft = {
  what: texts.events,
  conditions: [{ name: 'title', value: '' }],
  suggestions: [],
  startsAt: '',
  length: '2h',
  endsAt: '',
  weekly: null,
  reason: '',
};

export const emptyDraft = (): SilenceDraft => EMPTY;

/** The part of an event that its silence selects by. */
export type SilencedEvent = Pick<EventRow, 'title' | 'hostname' | 'service' | 'source' | 'ciId'>;

const given = (name: SilenceCondition['name'], value: string | undefined, ...shown: string[]): SilenceCondition[] =>
  value === undefined || value === '' ? [] : [{ name, value, ...(shown.length > 0 && { shown }) }];

interface SilencedCi {
  readonly id: string;
  readonly name: string;
}

export const conditionOfCis = (name: SilenceCondition['name'], cis: readonly SilencedCi[]): SilenceCondition => ({
  name,
  value: cis.map(({ id }) => id).join(','),
  shown: cis.map((ci) => ci.name),
});

/** The problem of the event on its host, else on its CI, else of its source. */
export const draftOfEvent = ({ title, hostname, service, source, ciId }: SilencedEvent): SilenceDraft => {
  const places = [
    ...given('host', hostname),
    ...given('ciId', ciId?._id, ...[ciId?.name ?? []].flat()),
    ...given('source', source),
    ...given('service', service),
  ];
  return {
    ...EMPTY,
    what: `“${titledAt(title, hostname ?? ciId?.name)}”`,
    conditions: [...given('title', lastingWords(title)), ...places.slice(0, 1)],
    suggestions: places.slice(1),
  };
};

/** The root cause of a group represents it; null: there is none. */
export const draftOfGroup = (group: GroupRow | null): SilenceDraft | null =>
  group?.rootCause == null ? null : draftOfEvent(group.rootCause);

export const draftOfCi = ({ _id, name }: { readonly _id: string; readonly name: string }): SilenceDraft => ({
  ...EMPTY,
  what: name,
  conditions: given('ciId', _id, name),
  suggestions: given('below', _id, name),
});

export const draftOfCis = (what: string, cis: readonly SilencedCi[]): SilenceDraft => ({
  ...EMPTY,
  what,
  conditions: [conditionOfCis('ciId', cis)],
});

const conditionsOf = (matcher: SilenceData['matcher'], names: ReadonlyMap<string, string>): SilenceCondition[] =>
  (Object.keys(matcher) as (keyof typeof matcher)[]).flatMap((name) => {
    if (name === 'labels') return (matcher.labels ?? []).flatMap((label) => given('labels', labelText(label)));
    const values = [matcher[name] ?? []].flat() as readonly string[];
    const isNamed = values.every((value) => names.has(value));
    return given(
      name === 'ciIds' ? 'ciId' : name,
      values.join(','),
      ...(isNamed ? values.map((value) => names.get(value) ?? value) : []),
    );
  });

/** `isCopy`: a new one, which starts now. */
export const draftOfSilence = (
  silence: SilenceData,
  names: ReadonlyMap<string, string>,
  { toLocal }: Local,
  { now, isCopy }: { readonly now: number; readonly isCopy: boolean },
): SilenceDraft => {
  const { id, matcher, startsAt, endsAt, recurrence, reason } = silence;
  const isLater = Date.parse(startsAt) > now;
  return {
    ...EMPTY,
    ...(!isCopy && { id }),
    conditions: conditionsOf(matcher, names),
    startsAt: isLater && !isCopy ? toLocal(Date.parse(startsAt)) : '',
    length: isCopy ? '2h' : 'own',
    endsAt: isCopy ? '' : toLocal(Date.parse(endsAt)),
    weekly: recurrence ?? null,
    reason,
  };
};

const LABEL = /^\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)(.*)$/s;

/** Reads `team="db"` or `env=~prod|stage`; null: it is no label condition. */
export const labelOf = (text: string): LabelMatcher | null => {
  const [, name, op, rest = ''] = LABEL.exec(text) ?? [];
  if (name === undefined || op === undefined) return null;
  const value = rest.trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return { name, op: op as LabelMatcher['op'], value: isQuoted ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value };
};

/** Null: no conditions. Throws Error that names a malformed condition. */
export const matcherOf = (conditions: readonly SilenceCondition[]): SilenceMatcher | null => {
  const filled = conditions.filter(({ value }) => value.trim() !== '');
  const labels = filled.flatMap(({ name, value }) => {
    if (name !== 'labels') return [];
    const label = labelOf(value);
    if (label === null) throw new Error(texts.labelExpected(value));
    return [label];
  });
  const parts = filled
    .filter(({ name }) => name !== 'labels')
    .map(({ name, value }) => {
      if (name === 'ciId' && value.includes(',')) return ['ciIds', value.split(',')] as const;
      return [name, name === 'severity' ? value.split(',') : value.trim()] as const;
    });
  return filled.length === 0
    ? null
    : (Object.fromEntries([...parts, ...(labels.length > 0 ? [['labels', labels]] : [])]) as SilenceMatcher);
};

/** Start and end, epoch ms; null: no time was chosen. */
export const timesOf = (
  draft: Pick<SilenceDraft, 'startsAt' | 'length' | 'endsAt'>,
  now: number,
  local: Local,
): { readonly start: number; readonly end: number | null } => {
  const start = draft.startsAt === '' ? now : (local.toMs(draft.startsAt) ?? now);
  return { start, end: endOf(draft, start, local) };
};

/** Sundays, 02:00–04:00. */
export const newWeekly = (zone: string): SilenceWeekly => ({ weekdays: ['sun'], from: '02:00', to: '04:00', zone });

export const recurrenceOf = ({ weekdays, ...rest }: SilenceWeekly): Recurrence => ({
  ...rest,
  weekdays: WEEKDAYS.filter((day) => weekdays.includes(day)),
});

/** Returns the body of the request. Throws Error that names a missing part. */
export const bodyOf = (draft: SilenceDraft, now: number, local: Local) => {
  const matcher = matcherOf(draft.conditions);
  if (matcher === null) throw new Error(texts.conditionNeeded);
  const { start, end } = timesOf(draft, now, local);
  if (end === null) throw new Error(texts.chooseEndTime);
  if (draft.weekly?.weekdays.length === 0) throw new Error(texts.chooseWeekday);
  return {
    matcher,
    ...(draft.startsAt !== '' && { startsAt: new Date(start).toISOString() }),
    endsAt: new Date(end).toISOString(),
    ...(draft.weekly !== null && { recurrence: recurrenceOf(draft.weekly) }),
    reason: draft.reason.trim(),
  };
};
