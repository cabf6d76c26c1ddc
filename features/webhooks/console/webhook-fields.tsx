import { Checkbox, MultiSelect, PasswordInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { problemOf } from '#console/forms/form-text.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { FORMATS, WEBHOOK_KINDS } from '#features/webhooks/rules/webhook.ts';
import * as text from './texts.ts';
import { filterOf, hasReplySecret, type WebhookDraft } from './webhook-draft.ts';
import { FORMAT_WORDS, KIND_WORDS } from './webhook-text.ts';
import classes from './webhooks.module.css';

const ABOUT = [
  [text.groups, 'correlation.'],
  [text.events, 'event.'],
  ['CIs', 'ci.'],
  [text.other, ''],
] as const;
const isAbout = (kind: string, prefix: string): boolean =>
  prefix === '' ? ABOUT.every(([, other]) => other === '' || !kind.startsWith(other)) : kind.startsWith(prefix);
const KINDS = [
  { group: text.all, items: [{ value: '*', label: KIND_WORDS['*'] }] },
  ...ABOUT.map(([group, prefix]) => ({
    group,
    items: WEBHOOK_KINDS.filter((kind) => isAbout(kind, prefix)).map((value) => ({ value, label: KIND_WORDS[value] })),
  })),
];

interface Props {
  readonly draft: WebhookDraft;
  /** Names of headers that are there. */
  readonly headers: readonly string[];
  readonly hasSecret: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (change: Partial<WebhookDraft>) => void;
}

const LISTS = [
  ['sources', text.sources],
  ['services', text.services],
  ['tags', text.tags],
  ['ciTypes', text.ciTypes],
] as const;

interface FoldProps {
  readonly words: string;
  /** True if a field of it is set. */
  readonly isSet: boolean;
  readonly isRefused: boolean;
  readonly children: ReactNode;
}

/** Seldom needed fields; open from the start where one is set, and when the server refuses it. */
function Fold({ words, isSet, isRefused, children }: FoldProps) {
  const [wasSet] = useState(isSet);
  return (
    <details className={classes.fold} open={wasSet || isRefused}>
      <summary>{words}</summary>
      <div className={classes.folded}>{children}</div>
    </details>
  );
}

function Filter({ draft, problems, change }: Omit<Props, 'headers' | 'hasSecret'>) {
  return (
    <Fold words={text.filters} isSet={filterOf(draft) !== null} isRefused={problemOf(problems, 'filter') !== undefined}>
      <Select
        label={text.minimumSeverity}
        placeholder={text.any}
        clearable
        data={SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] }))}
        value={draft.minSeverity}
        onChange={(next) => change({ minSeverity: next as WebhookDraft['minSeverity'] })}
      />
      {LISTS.map(([name, label]) => (
        <TagsInput
          key={name}
          size="xs"
          label={label}
          placeholder={draft[name].length === 0 ? 'any' : ''}
          value={[...draft[name]]}
          onChange={(next) => change({ [name]: next })}
          error={problemOf(problems, `filter.${name}`)}
        />
      ))}
      <Checkbox
        label={text.onlyRootCauses}
        checked={draft.onlyCauses}
        onChange={({ currentTarget }) => change({ onlyCauses: currentTarget.checked })}
      />
    </Fold>
  );
}

function Headers({ draft, headers, problems, change }: Omit<Props, 'hasSecret'>) {
  const refused = problemOf(problems, 'headers');
  return (
    <Fold
      words={text.headers}
      isSet={headers.length > 0}
      isRefused={refused !== undefined || (draft.format === 'pagerduty' && headers.length === 0)}
    >
      {headers.length === 0 ? null : (
        <Checkbox
          label={text.replaceHeaders(headers.join(', '))}
          description={text.replaceHeadersHelp}
          checked={draft.headers !== null}
          onChange={({ currentTarget }) => change({ headers: currentTarget.checked ? '' : null })}
        />
      )}
      {draft.headers === null && headers.length > 0 ? null : (
        <Textarea
          aria-label={text.headers}
          description={draft.format === 'pagerduty' ? text.routingKeyHelp : text.headersHelp}
          autosize
          minRows={2}
          maxRows={6}
          value={draft.headers ?? ''}
          onChange={({ currentTarget }) =>
            change({ headers: currentTarget.value === '' && headers.length === 0 ? null : currentTarget.value })
          }
          error={refused}
        />
      )}
    </Fold>
  );
}

/** All fields of a webhook. */
export function WebhookFields(props: Props) {
  const { draft, problems, change } = props;
  return (
    <>
      <TextInput
        label={text.name}
        required
        maxLength={255}
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={problems.name}
        data-autofocus
      />
      <TextInput
        label={text.url}
        description={draft.url.includes('/…') ? text.secretPartHidden : text.urlHelp}
        type="url"
        required
        maxLength={2_048}
        placeholder="https://"
        value={draft.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={problems.url}
      />
      <Select
        label={text.format}
        data={FORMATS.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
        value={draft.format}
        allowDeselect={false}
        onChange={(next) => change({ format: next as WebhookDraft['format'] })}
        error={problems.format}
      />
      {hasReplySecret(draft.format) ? (
        <PasswordInput
          label={text.replySecret}
          description={draft.format === 'slack' ? text.slackSecretHelp : text.pagerdutySecretHelp}
          placeholder={props.hasSecret ? text.keepSecret : text.optional}
          maxLength={256}
          autoComplete="new-password"
          value={draft.replySecret}
          onChange={({ currentTarget }) => change({ replySecret: currentTarget.value })}
          error={problems.reply_secret}
        />
      ) : null}
      <MultiSelect
        label={text.events}
        size="xs"
        searchable
        data={KINDS}
        value={[...draft.events]}
        onChange={(next) => change({ events: next as WebhookDraft['events'] })}
        error={problemOf(problems, 'events')}
      />
      <Filter draft={draft} problems={problems} change={change} />
      <Headers {...props} />
    </>
  );
}
