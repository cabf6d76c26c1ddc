import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Icon } from '#console/facts/icon.tsx';
import { useKeyboard } from '#console/hooks/use-keyboard.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { useFeatures, useSlot } from '#console/slots/feature.ts';
import classes from './frame.module.css';
import { HelpDialog } from './help-dialog.tsx';
import { LiveBadge } from './live-badge.tsx';
import { entriesFor } from './navigation.ts';
import { NewVersion } from './new-version.tsx';
import { News } from './news/news.tsx';
import { Palette, PaletteButton } from './palette/palette.tsx';
import { PanelBoundary } from './panel-boundary.tsx';
import { SideNav } from './side-nav.tsx';
import { TenantBar } from './tenant-bar.tsx';
import { TenantMenu } from './tenant-menu.tsx';
import { undoLast } from './toasts.tsx';
import { useSettingsSync } from './use-settings-sync.ts';
import { UserMenu } from './user-menu.tsx';
import { ZoneWord } from './zone-word.tsx';

/** Header, navigation and the page between them. */
export function Shell() {
  const me = useMe();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isHelpShown, help] = useDisclosure();
  const [isMenuShown, menu] = useDisclosure();
  const headerParts = useSlot('headerParts');
  const entries = entriesFor(me.permissions, useFeatures());

  useKeyboard();
  useSettingsSync();
  useShortcuts([
    { keys: 'u', words: 'Undo the last action', section: 'Everywhere', run: undoLast },
    { keys: '?', words: 'Show these shortcuts', section: 'Everywhere', run: help.open },
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
        Skip to the page
      </a>
      <header className={classes.bar}>
        <ActionIcon className={classes.burger} aria-label="Pages" onClick={menu.open}>
          <Icon name="menu" />
        </ActionIcon>
        <span className={classes.brand}>
          Faultline <TenantMenu />
        </span>
        <PaletteButton />
        <span className={classes.barEnd}>
          <LiveBadge />
          <ZoneWord />
          {headerParts.map(({ id, Part }) => (
            <Part key={id} pages={entries.map(({ to }) => to)} />
          ))}
          <ActionIcon aria-label="Keyboard shortcuts" onClick={help.open} className={classes.wideOnly}>
            <Icon name="help" />
          </ActionIcon>
          <UserMenu />
        </span>
      </header>
      <div className={classes.strips}>
        <NewVersion />
        <TenantBar />
      </div>
      <nav className={classes.side} aria-label="Pages">
        <SideNav entries={entries} />
      </nav>
      <div className={classes.place}>
        <PanelBoundary key={path} what="This page">
          <Outlet />
        </PanelBoundary>
      </div>
      <Drawer opened={isMenuShown} onClose={menu.close} title="Faultline" size="14rem" padding="sm">
        <nav aria-label="Pages">
          <SideNav entries={entries} />
        </nav>
      </Drawer>
      <News />
      <HelpDialog opened={isHelpShown} onClose={help.close} />
      <Palette entries={entries} />
    </div>
  );
}
