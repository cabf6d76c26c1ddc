import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '#console/facts/icon.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import classes from './frame.module.css';

const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['contrast', 'High contrast'],
] as const;
const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const;

export function UserMenu() {
  const me = useMe();
  const { session, settings, root } = useParts();
  const { theme, density } = useSettings();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" className={classes.user} rightSection={<Icon name="down" size={12} />}>
          {me.user.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {THEMES.map(([value, words]) => (
          <Menu.Item
            key={value}
            leftSection={theme === value ? <Icon name="check" size={14} /> : <span className={classes.noIcon} />}
            onClick={() => settings.change({ theme: value })}
          >
            {words}
          </Menu.Item>
        ))}
        <Menu.Label>Density</Menu.Label>
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
          Settings and password
        </Menu.Item>
        <Menu.Item component="a" href={new URL('docs', root).href} target="_blank" rel="noopener">
          HTTP interface
        </Menu.Item>
        <Menu.Item onClick={() => void session.signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
