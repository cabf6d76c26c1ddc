import { Button, PasswordInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { changeMail, changePassword } from '#console/api/me.ts';
import { Page } from '#console/frame/page.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import type { Settings } from '#console/settings/settings.ts';
import classes from './me.module.css';
import * as text from './texts.ts';

interface OwnFormProps {
  readonly label: string;
  /** Field for refusals that name none. */
  readonly main: string;
  /** Throws the server's refusal. Returns problems by field, or the text of success. */
  readonly send: (form: (name: string) => string) => Promise<string | FieldProblems>;
  readonly children: (problems: FieldProblems) => ReactNode;
}
type FieldProblems = Readonly<Record<string, string>>;

function OwnForm({ label, main, send, children }: OwnFormProps) {
  const [problems, setProblems] = useState<FieldProblems>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    setBusy(true);
    try {
      const done = await send((name) => String(values.get(name) ?? ''));
      setProblems(typeof done === 'string' ? {} : done);
      if (typeof done === 'string') {
        form.reset();
        showToast({ text: done });
      }
    } catch (error) {
      const { fields, message } = isProblem(error) ? error : { fields: {}, message: String(error) };
      setProblems(Object.keys(fields).length === 0 ? { [main]: message } : fields);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={classes.form} aria-label={label}>
      {children(problems)}
      <Button type="submit" loading={isBusy}>
        {label}
      </Button>
    </form>
  );
}

interface SecretFieldProps {
  readonly name: string;
  readonly label: string;
  readonly complete: string;
  readonly error: string | undefined;
}
const SecretField = ({ complete, ...field }: SecretFieldProps) => (
  <PasswordInput {...field} size="sm" required autoComplete={complete} />
);

/** The own password; every other sign-in of this person ends. */
function PasswordForm() {
  const { call } = useAppServices();
  const send = async (value: (name: string) => string): Promise<string | FieldProblems> => {
    if (value('new') !== value('again')) return { again: text.passwordsDontMatch };
    await changePassword(call, value('current'), value('new'));
    return text.passwordChanged;
  };
  return (
    <OwnForm label={text.changePassword} main="current" send={send}>
      {({ current, currentPassword, new: next, newPassword, again }) => (
        <>
          <SecretField
            name="current"
            label={text.currentPassword}
            complete="current-password"
            error={current ?? currentPassword}
          />
          <SecretField name="new" label={text.newPassword} complete="new-password" error={next ?? newPassword} />
          <SecretField name="again" label={text.confirmNewPassword} complete="new-password" error={again} />
        </>
      )}
    </OwnForm>
  );
}

/** The own address, which receives links that reset the password. */
function MailForm({ mail }: { readonly mail: string | null }) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const send = async (value: (name: string) => string): Promise<string> => {
    await changeMail(call, value('mail').trim() || null, value('current'));
    await queries.invalidateQueries({ queryKey: ['me'] });
    return text.emailChanged;
  };
  return (
    <OwnForm label={text.changeEmail} main="mail" send={send}>
      {(problems) => (
        <>
          <TextInput
            key={mail}
            type="email"
            name="mail"
            label={text.email}
            description={text.emailHelp}
            size="sm"
            maxLength={254}
            autoComplete="email"
            defaultValue={mail ?? ''}
            error={problems.mail}
          />
          <SecretField
            name="current"
            label={text.currentPassword}
            complete="current-password"
            error={problems.current}
          />
        </>
      )}
    </OwnForm>
  );
}

const THEMES = [
  { value: 'system', label: text.system },
  { value: 'light', label: text.light },
  { value: 'dark', label: text.dark },
  { value: 'contrast', label: text.highContrast },
];
const DENSITIES = [
  { value: 'comfortable', label: text.comfortable },
  { value: 'compact', label: text.compact },
];
const OWN_ZONE = 'browser';

const Choice = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={classes.choice} aria-label={title}>
    <h2 className={classes.choiceTitle}>{title}</h2>
    {children}
  </section>
);

/** Personal settings of a user. */
export function MePage() {
  const me = useMe();
  const { settings } = useAppServices();
  const chosen = useSettings();
  // Too narrow for four words in a row.
  const isNarrow = useMediaQuery('(max-width: 360px)', false, { getInitialValueInEffect: false }) ?? false;
  const { theme, density, zone, shortcuts, sound } = chosen;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [
    { value: OWN_ZONE, label: text.systemOf(here) },
    ...Intl.supportedValuesOf('timeZone').map((name) => ({ value: name, label: name })),
  ];
  return (
    <Page
      title={me.user.name}
      lead={`${me.user.username} · ${me.user.role ?? text.apiToken} · ${me.tenant.own}`}
      scrolls
    >
      <div className={classes.choices}>
        <Choice title={text.appearance}>
          <SegmentedControl
            aria-label={text.theme}
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            data={THEMES}
            value={theme}
            onChange={(value) => settings.change({ theme: value as Settings['theme'] })}
          />
          <SegmentedControl
            aria-label={text.density}
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            data={DENSITIES}
            value={density}
            onChange={(value) => settings.change({ density: value as Settings['density'] })}
          />
        </Choice>
        <Choice title={text.timeZone}>
          <Select
            label={text.timeZone}
            searchable
            limit={60}
            data={zones}
            value={zone ?? OWN_ZONE}
            allowDeselect={false}
            onChange={(value) => settings.change({ zone: value === OWN_ZONE ? null : value })}
          />
        </Choice>
        <Choice title={text.shortcutsAndSound}>
          <Switch
            label={text.singleLetterShortcuts}
            checked={shortcuts}
            onChange={({ currentTarget }) => settings.change({ shortcuts: currentTarget.checked })}
          />
          <Switch
            label={text.soundForNewGroups}
            checked={sound}
            onChange={({ currentTarget }) => settings.change({ sound: currentTarget.checked })}
          />
        </Choice>
        {me.user.credential === 'jwt' ? (
          <>
            <Choice title={text.email}>
              <MailForm mail={me.user.mail} />
            </Choice>
            <Choice title={text.password}>
              <PasswordForm />
            </Choice>
          </>
        ) : null}
      </div>
    </Page>
  );
}
