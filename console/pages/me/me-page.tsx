import { SegmentedControl, Select, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import type { Settings } from '#console/settings/settings.ts';
import classes from './me.module.css';
import { PasswordForm } from './password-form.tsx';

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'High contrast' },
];
const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];
const OWN_ZONE = 'browser';

const Choice = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={classes.choice} aria-label={title}>
    <h2 className={classes.choiceTitle}>{title}</h2>
    {children}
  </section>
);

/** Choices of a person for themselves. */
export function MePage() {
  const me = useMe();
  const { settings } = useParts();
  const chosen = useSettings();
  // Too narrow for four words in a row.
  const isNarrow = useMediaQuery('(max-width: 360px)', false, { getInitialValueInEffect: false }) ?? false;
  const { theme, density, zone, shortcuts, sound } = chosen;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [
    { value: OWN_ZONE, label: `Of this computer (${here})` },
    ...Intl.supportedValuesOf('timeZone').map((name) => ({ value: name, label: name })),
  ];
  return (
    <Page title={me.user.name} lead={`${me.user.username}, ${me.user.role ?? 'a token'} of ${me.tenant.own}`} scrolls>
      <div className={classes.choices}>
        <Choice title="Looks">
          <SegmentedControl
            aria-label="Theme"
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            data={THEMES}
            value={theme}
            onChange={(value) => settings.change({ theme: value as Settings['theme'] })}
          />
          <SegmentedControl
            aria-label="Density"
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            data={DENSITIES}
            value={density}
            onChange={(value) => settings.change({ density: value as Settings['density'] })}
          />
        </Choice>
        <Choice title="Times">
          <Select
            label="Time zone"
            searchable
            limit={60}
            data={zones}
            value={zone ?? OWN_ZONE}
            allowDeselect={false}
            onChange={(value) => settings.change({ zone: value === OWN_ZONE ? null : value })}
          />
        </Choice>
        <Choice title="Keys and sound">
          <Switch
            label="Letters are shortcuts"
            checked={shortcuts}
            onChange={({ currentTarget }) => settings.change({ shortcuts: currentTarget.checked })}
          />
          <Switch
            label="One short sound for each new critical group"
            checked={sound}
            onChange={({ currentTarget }) => settings.change({ sound: currentTarget.checked })}
          />
        </Choice>
        {me.user.credential === 'jwt' ? (
          <Choice title="Password">
            <PasswordForm />
          </Choice>
        ) : null}
      </div>
    </Page>
  );
}
