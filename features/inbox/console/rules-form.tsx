import { Button, MultiSelect, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import type { Me } from '#console/api/me.ts';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import forms from '#console/forms/forms.module.css';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { INBOX, type InboxRulesData, type InboxRulesDraft, RULES, storeRules } from './api.ts';
import classes from './inbox.module.css';
import * as text from './texts.ts';

/** Asks the user where the browser has not been asked; true: notifications are shown. */
const allowed = async (): Promise<boolean> => {
  if (!('Notification' in window)) return false;
  if (Notification.permission === 'default') await Notification.requestPermission();
  return Notification.permission === 'granted';
};

const SEVERITY_CHOICES = SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] }));

interface ProblemFieldsProps {
  readonly draft: InboxRulesDraft;
  readonly change: (parts: Partial<InboxRulesDraft>) => void;
}
function ProblemFields({ draft, change }: ProblemFieldsProps) {
  return (
    <>
      {draft.created.includes('critical') ? null : (
        <Button variant="default" onClick={() => change({ created: ['critical', ...draft.created] })}>
          {text.allNewCritical}
        </Button>
      )}
      <MultiSelect
        label={text.newProblems}
        description={text.newProblemsHint}
        placeholder={draft.created.length === 0 ? text.none : ''}
        data={SEVERITY_CHOICES}
        value={draft.created}
        onChange={(next) => change({ created: next as InboxRulesDraft['created'] })}
      />
      <MultiSelect
        label={text.severities}
        placeholder={draft.severities.length === 0 ? text.all : ''}
        data={SEVERITY_CHOICES}
        value={draft.severities}
        onChange={(next) => change({ severities: next as InboxRulesDraft['severities'] })}
      />
      <TagsInput
        label={text.services}
        placeholder={draft.services.length === 0 ? text.all : ''}
        value={draft.services}
        onChange={(services) => change({ services })}
      />
    </>
  );
}

const emailWords = ({ tenant }: Me, sendsEmail: boolean): string => {
  if (tenant.id !== tenant.own) return text.noMailElsewhere(tenant.own);
  return sendsEmail ? text.emailHint : text.noMailServer;
};

/** Rules of the user: severities, services, browser notifications and their hours. */
export function RulesForm({ rules: { sends_email: sendsEmail, ...rules } }: { readonly rules: InboxRulesData }) {
  const { call } = useAppServices();
  const me = useMe();
  const queries = useQueryClient();
  const attempt = useAttempt(RULES);
  const [draft, setDraft] = useState<InboxRulesDraft>(rules);
  const [isBlocked, setBlocked] = useState(false);
  const change = (parts: Partial<InboxRulesDraft>): void => setDraft((before) => ({ ...before, ...parts }));
  const { from = '', to = '' } = draft.hours ?? {};
  const hours = (next: { readonly from: string; readonly to: string }): void =>
    change({ hours: next.from === '' && next.to === '' ? null : next });
  const notify = async (isOn: boolean): Promise<void> => {
    const isAllowed = !isOn || (await allowed());
    setBlocked(!isAllowed);
    change({ notify: isOn && isAllowed });
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await attempt(() => storeRules(call, draft), { done: text.rulesSaved, failed: text.couldntSave });
    await queries.invalidateQueries({ queryKey: INBOX });
  };
  return (
    <form className={classes.rules} aria-label={text.rules} onSubmit={(event) => void save(event)}>
      <ProblemFields draft={draft} change={change} />
      <Switch
        label={text.browserNotifications}
        checked={draft.notify}
        onChange={({ currentTarget }) => void notify(currentTarget.checked)}
      />
      {isBlocked ? <p className={forms.caution}>{text.blocked}</p> : null}
      <TextInput
        type="email"
        name="mail"
        label={text.email}
        description={emailWords(me, sendsEmail)}
        maxLength={254}
        value={draft.mail ?? ''}
        onChange={({ currentTarget }) => change({ mail: currentTarget.value.trim() || null })}
      />
      <div className={classes.hours}>
        <TextInput
          type="time"
          label={text.onlyFrom}
          value={from}
          required={to !== ''}
          onChange={({ currentTarget }) => hours({ from: currentTarget.value, to })}
        />
        <TextInput
          type="time"
          label={text.onlyTo}
          value={to}
          required={from !== ''}
          onChange={({ currentTarget }) => hours({ from, to: currentTarget.value })}
        />
      </div>
      <p className={forms.note}>{text.hoursNote}</p>
      <Button type="submit">{text.save}</Button>
    </form>
  );
}
