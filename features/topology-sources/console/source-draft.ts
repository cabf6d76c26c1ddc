import { assertDefined } from '#domain/assert.ts';
import type { SourceInputData, TopologySourceData } from './api.ts';
import { formOf, SOURCE_FORMS, type SourceField, type SourceKindForm, type SourceSignIn } from './kinds.ts';

/** No sign-in, or the stored one. */
export const UNCHANGED = '';

/** A source as a form holds it. Secrets are entered, never read. */
export interface SourceDraft {
  readonly name: string;
  readonly kind: string;
  readonly url: string;
  readonly every: string;
  readonly grace: string;
  readonly isPaused: boolean;
  /** `type` of the sign-in. */
  readonly signIn: string;
  /** Values by field, of the sign-in and of the kind. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

export const NEW_DRAFT: SourceDraft = {
  name: '',
  kind: 'prometheus',
  url: '',
  every: '1m',
  grace: '10m',
  isPaused: false,
  signIn: UNCHANGED,
  secrets: {},
  fields: {},
};

export const draftForm = ({ kind }: Pick<SourceDraft, 'kind'>): SourceKindForm =>
  formOf(kind) ?? assertDefined(SOURCE_FORMS[0], 'kind of sources');
export const signInOf = (draft: SourceDraft): SourceSignIn | undefined =>
  draftForm(draft).signIns.find(({ type }) => type === draft.signIn);

const shownField = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));

export const draftOf = (source: TopologySourceData): SourceDraft => ({
  ...NEW_DRAFT,
  name: source.name,
  kind: source.kind,
  url: source.url ?? '',
  every: source.every ?? NEW_DRAFT.every,
  grace: source.grace,
  isPaused: source.paused,
  fields: Object.fromEntries(
    draftForm(source).fields.map(({ name }) => [name, shownField((source as Readonly<Record<string, unknown>>)[name])]),
  ),
});

const filled = (names: readonly { readonly name: string }[], values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    names.flatMap(({ name }) => {
      const value = values[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

const fieldsIn = (fields: readonly SourceField[], values: Readonly<Record<string, string>>) => {
  const lists = new Set(fields.flatMap(({ name, shape }) => (shape === 'list' ? [name] : [])));
  const parts = (value: string) => value.split(',').map((part) => part.trim());
  return Object.fromEntries(
    Object.entries(filled(fields, values)).map(([name, value]) => [name, lists.has(name) ? parts(value) : value]),
  );
};

/** The body for the server. Fields without a value are left out. */
export const inputOf = (draft: SourceDraft): SourceInputData => {
  const signIn = signInOf(draft);
  const { kind, url, every, grace, isPaused } = draft;
  const body = {
    kind,
    ...(url.trim() !== '' && { url: url.trim() }),
    every: every.trim(),
    grace: grace.trim(),
    ...fieldsIn(draftForm(draft).fields, draft.fields),
    ...(signIn !== undefined && { auth: { type: signIn.type, ...filled(signIn.fields, draft.secrets) } }),
    paused: isPaused,
  };
  return body as SourceInputData;
};

const NOT_IN_NAMES = /[^A-Za-z0-9._-]+/g;
/** Name for a source by the host of its address; empty: the address is incomplete. */
export const nameByUrl = (url: string): string => {
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replaceAll(NOT_IN_NAMES, '-').replace(/^[^A-Za-z0-9]+/, '');
};
