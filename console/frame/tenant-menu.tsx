import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { listTenants } from '#console/api/admin/tenants.ts';
import { Icon } from '#console/facts/icon.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import classes from './frame.module.css';

const MOST = 12;

/** Which tenant is looked at; whoever manages tenants chooses another one here. */
export function TenantMenu() {
  const { call, tenant } = useParts();
  const me = useMe();
  const navigate = useNavigate();
  const may = useMay('tenants.manage');
  const [isOpen, setOpen] = useState(false);
  const tenants = useQuery({
    queryKey: ['tenants', 'menu'],
    queryFn: ({ signal }) => listTenants(call, undefined, signal),
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
          aria-label={`Tenant ${me.tenant.id}`}
          rightSection={<Icon name="down" size={12} />}
        >
          <span className={classes.tenant}>{me.tenant.id}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Look at</Menu.Label>
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
          All tenants
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
