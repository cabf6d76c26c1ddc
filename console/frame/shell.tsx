import { ActionIcon, Button, Drawer, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { listTenants } from '#console/api/admin/tenants.ts';
import { Icon } from '#console/components/icon.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useKeyboard } from '#console/hooks/use-keyboard.ts';
import { useLiveState } from '#console/hooks/use-live.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { useTicking, useZonedTimes } from '#console/hooks/use-times.ts';
import { type NavigationEntry, useFeatures, useSlot } from '#console/slots/feature.ts';
import classes from './frame.module.css';
import { HelpDialog } from './help-dialog.tsx';
import { LiveBadge } from './live-badge.tsx';
import { entriesFor, placesFor } from './navigation.ts';
import { useNews } from './news/use-news.ts';
import { Palette, PaletteButton } from './palette/palette.tsx';
import { PanelBoundary } from './panel-boundary.tsx';
import * as texts from './texts.ts';
import { undoLast } from './toasts.tsx';
import { useSettingsSync } from './use-settings-sync.ts';

const THEMES = [
  ['system', texts.system],
  ['light', texts.light],
  ['dark', texts.dark],
  ['contrast', texts.highContrast],
] as const;
const DENSITIES = [
  ['comfortable', texts.comfortable],
  ['compact', texts.compact],
] as const;

function UserMenu() {
  const me = useMe();
  const { session, settings, root } = useAppServices();
  const { theme, density } = useSettings();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" className={classes.user} rightSection={<Icon name="down" size={12} />}>
          {me.user.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.theme}</Menu.Label>
        {THEMES.map(([value, words]) => (
          <Menu.Item
            key={value}
            leftSection={theme === value ? <Icon name="check" size={14} /> : <span className={classes.noIcon} />}
            onClick={() => settings.change({ theme: value })}
          >
            {words}
          </Menu.Item>
        ))}
        <Menu.Label>{texts.density}</Menu.Label>
        {DENSITIES.map(([value, words]) => (
          <Menu.Item
            key={value}
            leftSection={density === value ? <Icon name="check" size={14} /> : <span className={classes.noIcon} />}
            onClick={() => settings.change({ density: value })}
          >
            {words}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/me">
          {texts.preferences}
        </Menu.Item>
        <Menu.Item component="a" href={new URL('docs', root).href} target="_blank" rel="noopener">
          {texts.apiReference}
        </Menu.Item>
        <Menu.Item onClick={() => void session.signOut().then((next) => next !== null && location.assign(next))}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const MOST = 12;

/** Shows the current tenant; users who manage tenants select another one here. */
function TenantMenu() {
  const { tenant } = useAppServices();
  const me = useMe();
  const navigate = useNavigate();
  const may = useMay('tenants.manage');
  const [isOpen, setOpen] = useState(false);
  const tenants = useRead(['tenants', 'menu'], (call, signal) => listTenants(call, undefined, signal), {
    enabled: may && isOpen,
  });
  if (!may) return <span className={classes.tenant}>{me.tenant.id}</span>;
  const choose = (id: string): void => {
    tenant.choose(id === me.tenant.own ? null : id);
    void navigate({ to: '/' });
  };
  const active = (tenants.data?.data ?? []).filter(({ state, disabled }) => state === 'active' && !disabled);
  return (
    <Menu opened={isOpen} onChange={setOpen} width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.tenantButton}
          aria-label={texts.tenantNamed(me.tenant.id)}
          rightSection={<Icon name="down" size={12} />}
        >
          <span className={classes.tenant}>{me.tenant.id}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.switchTo}</Menu.Label>
        {active.slice(0, MOST).map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={id === me.tenant.id ? <Icon name="check" size={14} /> : <span className={classes.noIcon} />}
            onClick={() => choose(id)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/admin/tenants">
          {texts.allTenants}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows that another tenant is selected, and links back. */
function TenantBar() {
  const me = useMe();
  const { tenant } = useAppServices();
  const navigate = useNavigate();
  const visited = useSlot('visitedTenants').find(({ isOf }) => isOf(me.tenant.id));
  if (me.tenant.id === me.tenant.own) return null;
  const back = (): void => {
    tenant.choose(null);
    void navigate({ to: '/' });
  };
  return (
    <div className={classes.strip}>
      {visited?.words ?? texts.youreViewingTenant(me.tenant.id)}
      <Button variant="default" onClick={back}>
        {texts.backTo(me.tenant.own)}
      </Button>
      <Suspense fallback={null}>{visited === undefined ? null : <visited.Part leave={back} />}</Suspense>
    </div>
  );
}

/** The server has become another one than the page was loaded from. Nothing is reloaded by itself. */
function NewVersion() {
  const { version } = useLiveState();
  const me = useMe();
  const [first] = useState(me.version);
  const now = version === '' ? me.version : version;
  if (now === first) return null;
  return (
    <div className={classes.strip} role="status">
      {texts.updatedTo(now)}
      <Button variant="subtle" size="compact-xs" onClick={() => location.reload()}>
        {texts.reload}
      </Button>
    </div>
  );
}

function SideNav({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  return (
    <ul className={classes.links}>
      {entries.map(({ to, words, icon }) => (
        <li key={to}>
          <Link to={to} className={classes.link} title={words}>
            <Icon name={icon} />
            <span className={classes.linkWords}>{words}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The zone of all times on the page. */
function ZoneWord() {
  const word = useTicking(useZonedTimes().zoneWord);
  return (
    <Link to="/me" className={classes.zone} title={texts.allTimesTimeZone}>
      {word}
    </Link>
  );
}

/** Announces changes to screen readers. */
function News() {
  const { announcer } = useAppServices();
  const text = useSyncExternalStore(announcer.subscribe, announcer.text);
  useNews();
  return (
    <div className={classes.unseen} role="status" aria-label={texts.notifications}>
      {text}
    </div>
  );
}

/** Header, navigation and the page between them. */
export function Shell() {
  const me = useMe();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isHelpShown, help] = useDisclosure();
  const [isMenuShown, menu] = useDisclosure();
  const headerParts = useSlot('headerParts');
  const features = useFeatures();
  const entries = entriesFor(me.permissions, features);

  useKeyboard();
  useSettingsSync();
  useShortcuts([
    { keys: 'u', words: texts.undoLastAction, section: 'Everywhere', run: undoLast },
    { keys: '?', words: texts.showKeyboardShortcuts, section: 'Everywhere', run: help.open },
    ...entries.flatMap(({ key, to, words }) =>
      key === undefined
        ? []
        : [{ keys: `g ${key}`, words, section: 'Go to' as const, run: () => void navigate({ to }) }],
    ),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes.
  useEffect(menu.close, [path]);

  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        {texts.skipToContent}
      </a>
      <header className={classes.bar}>
        <ActionIcon className={classes.burger} aria-label={texts.mainNavigation} onClick={menu.open}>
          <Icon name="menu" />
        </ActionIcon>
        <span className={classes.brand}>
          {texts.faultline} <TenantMenu />
        </span>
        <PaletteButton />
        <span className={classes.barEnd}>
          <LiveBadge />
          <ZoneWord />
          {headerParts.map(({ id, Part }) => (
            <Part key={id} pages={entries.map(({ to }) => to)} />
          ))}
          <ActionIcon aria-label={texts.keyboardShortcuts} onClick={help.open} className={classes.wideOnly}>
            <Icon name="help" />
          </ActionIcon>
          <UserMenu />
        </span>
      </header>
      <div className={classes.strips}>
        <NewVersion />
        <TenantBar />
      </div>
      <nav className={classes.side} aria-label={texts.mainNavigation}>
        <SideNav entries={entries} />
      </nav>
      <div className={classes.place}>
        <PanelBoundary key={path} what={texts.thisPage}>
          <Outlet />
        </PanelBoundary>
      </div>
      <Drawer opened={isMenuShown} onClose={menu.close} title={texts.faultline} size="14rem" padding="sm">
        <nav aria-label={texts.mainNavigation}>
          <SideNav entries={entries} />
        </nav>
      </Drawer>
      <News />
      <HelpDialog opened={isHelpShown} onClose={help.close} />
      <Palette places={placesFor(me.permissions, features)} />
    </div>
  );
}
