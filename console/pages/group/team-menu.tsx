import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listTeams } from '#console/api/admin/teams.ts';
import { Icon } from '#console/facts/icon.tsx';
import { useParts } from '#console/hooks/parts.ts';

interface Props {
  /** Id of the team that has the group. */
  readonly current: string | null;
  readonly assign: (team: { readonly _id: string; readonly name: string } | null) => Promise<void>;
}

/** Gives the group to a team; not there while the tenant has none. */
export function TeamMenu({ current, assign }: Props) {
  const { call } = useParts();
  const { data } = useQuery({
    queryKey: ['teams', 'menu'],
    queryFn: ({ signal }) => listTeams(call, undefined, signal),
  });
  const teams = data?.data ?? [];
  if (teams.length === 0) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={12} />}>
          Team
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Give it to</Menu.Label>
        {teams.map(({ id, name }) => (
          <Menu.Item
            key={id}
            {...(id === current && { leftSection: <Icon name="check" size={14} /> })}
            onClick={() => void assign({ _id: id, name })}
          >
            {name}
          </Menu.Item>
        ))}
        {current === null ? null : (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => void assign(null)}>No team</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
