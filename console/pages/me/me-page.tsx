import { Button, PasswordInput, SegmentedControl, Select, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { changePassword } from '#console/api/me.ts';
import { Page } from '#console/frame/page.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import type { Settings } from '#console/settings/settings.ts';
import classes from './me.module.css';
import * as text from './texts.ts';

/** The own password; every other sign-in of this person ends. */
function PasswordForm() {
  const { call } = useAppServices();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const [current, next, again] = ['current', 'new', 'again'].map((name) =>
      String(new FormData(form).get(name) ?? ''),
    );
    if (next !== again) {
      setProblems({ again: text.passwordsDontMatch });
      return;
    }
    setBusy(true);
    try {
      await changePassword(call, current ?? '', next ?? '');
      setProblems({});
      form.reset();
      showToast({ text: text.passwordChanged });
    } catch (error) {
      const { fields, message } = isProblem(error) ? error : { fields: {}, message: String(error) };
      setProblems(Object.keys(fields).length === 0 ? { current: message } : fields);
    }
    setBusy(false);
  };
  const field = (name: string, label: string, complete: string) => (
    <PasswordInput
      name={name}
      label={label}
      size="sm"
      required
      autoComplete={complete}
      error={problems[name] ?? (name === 'current' ? problems.currentPassword : problems.newPassword)}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event)} className={classes.form} aria-label={text.changePassword}>
      {field('current', text.currentPassword, 'current-password')}
      {field('new', text.newPassword, 'new-password')}
      {field('again', text.confirmNewPassword, 'new-password')}
      <Button type="submit" loading={isBusy}>
        {text.changePassword}
      </Button>
    </form>
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
          <Choice title={text.password}>
            <PasswordForm />
          </Choice>
        ) : null}
      </div>
    </Page>
  );
}
