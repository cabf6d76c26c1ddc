import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import { changeTenant, listTenants, makeTenant, removeTenant, type Tenant } from '#console/api/admin/tenants.ts';
import { RowButton } from '#console/data/row-button.tsx';
import type { SimpleColumn } from '#console/data/simple-table.tsx';
import type { MarkKind } from '#console/facts/mark/kinds.ts';
import { Mark } from '#console/facts/mark/mark.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { IdField, NameField } from './parts/name-fields.tsx';

const TENANTS = ['tenants'] as const;
const GOING_MS = 3_000;

const stateOf = ({ state, disabled }: Tenant): readonly [MarkKind, string] => {
  if (state === 'deleting') return ['caution', 'being deleted'];
  if (state === 'deleted') return ['quiet', 'deleted'];
  return disabled ? ['quiet', 'disabled'] : ['good', 'active'];
};

function State({ tenant }: { readonly tenant: Tenant }) {
  const [kind, words] = stateOf(tenant);
  const { taken_until: until } = tenant;
  return (
    <Mark kind={kind}>
      {words}
      {until === null ? null : (
        <>
          , its name is free on <When at={until} />
        </>
      )}
    </Mark>
  );
}

const columns = (own: string): readonly SimpleColumn<Tenant>[] => [
  {
    title: 'Tenant',
    isName: true,
    cell: ({ id, name }) => (
      <NameCell name={id === own ? `${name} (yours)` : name} {...(id !== name && { note: id })} />
    ),
  },
  { title: 'State', cell: (tenant) => <State tenant={tenant} /> },
  { title: 'Since', cell: ({ created_at: at }) => <When at={at} /> },
];

function NewDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useParts();
  const done = useDone(TENANTS);
  const make = (form: FormData): Promise<void> => {
    const [id, name] = [textOf(form, 'id'), textOf(form, 'name')];
    return done(
      () => makeTenant(call, { id, ...(name !== '' && { name }) }),
      `${name || id} is there. Look at it to add its first user.`,
    );
  };
  return (
    <FormDialog opened title="Make a tenant" action="Make it" onClose={onClose} send={make}>
      {(problems) => (
        <>
          <IdField
            name="id"
            label="Id"
            description="Small letters, digits and hyphens; people type it when they sign in, and it stays"
            most={63}
            error={problems.id}
          />
          <NameField error={problems.name} />
        </>
      )}
    </FormDialog>
  );
}

interface OfTenant {
  readonly tenant: Tenant;
  readonly onClose: () => void;
}

function RenameDialog({ tenant: { id, name }, onClose }: OfTenant) {
  const { call } = useParts();
  const done = useDone(TENANTS);
  return (
    <FormDialog
      opened
      title={`Rename ${id}`}
      action="Rename"
      onClose={onClose}
      send={(form) => done(() => changeTenant(call, id, { name: textOf(form, 'name') }), `${id} has its new name`)}
    >
      {(problems) => <NameField value={name} error={problems.name} leads />}
    </FormDialog>
  );
}

function DeleteDialog({ tenant: { id, name }, onClose }: OfTenant) {
  const { call, tenant } = useParts();
  const done = useDone(TENANTS);
  const remove = async (): Promise<void> => {
    await done(() => removeTenant(call, id), `${name} is being deleted`);
    // Nothing can be read of it any more.
    if (tenant.get() === id) tenant.choose(null);
  };
  return (
    <ConfirmDialog opened title={`Delete ${name}`} action="Delete all of it" typed={id} onClose={onClose} act={remove}>
      Its users, tokens, events, groups, CIs and settings go, and nothing brings them back. Everybody of it is refused
      at once. Disabling it refuses them too, and keeps the data.
    </ConfirmDialog>
  );
}

type Asked = { readonly of: 'rename' | 'disable' | 'delete'; readonly tenant: Tenant } | { readonly of: 'new' };

/** All tenants of this server. */
export function TenantsPage() {
  const { call, tenant: choice } = useParts();
  const me = useMe();
  const navigate = useNavigate();
  const attempt = useAttempt(TENANTS);
  const done = useDone(TENANTS);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const list = usePages(
    [...TENANTS, 'list'],
    (cursor, signal) => listTenants(call, cursor, signal),
    (rows) => (rows.some(({ state }) => state === 'deleting') ? GOING_MS : false),
  );
  const look = (id: string): void => {
    choice.choose(id === me.tenant.own ? null : id);
    void navigate({ to: '/' });
  };
  const enable = ({ id, name }: Tenant): Promise<void> =>
    attempt(() => changeTenant(call, id, { disabled: false }), {
      done: `${name} is active again`,
      failed: `${name} could not be enabled`,
    });
  return (
    <AdminPage
      title="Tenants"
      lead="Companies or departments that share this server and see nothing of each other."
      actions={<Button onClick={() => setAsked({ of: 'new' })}>Make a tenant</Button>}
    >
      <AdminList
        title="Tenants of this server"
        what="The tenants"
        list={list}
        idOf={({ id }) => id}
        isDim={({ disabled }) => disabled}
        isCurrent={({ id }) => id === me.tenant.id}
        columns={columns(me.tenant.own)}
        empty={<Notice title="There is no tenant">Make the first one.</Notice>}
        actions={(tenant) =>
          tenant.state === 'active' ? (
            <>
              {tenant.id === me.tenant.id || tenant.disabled ? null : (
                <RowButton words="Look at it" of={`: ${tenant.name}`} isMain onClick={() => look(tenant.id)} />
              )}
              <RowButton words="Rename" of={tenant.name} onClick={() => setAsked({ of: 'rename', tenant })} />
              {tenant.id === me.tenant.own ? null : (
                <>
                  <RowButton
                    words={tenant.disabled ? 'Enable' : 'Disable'}
                    of={tenant.name}
                    onClick={() => (tenant.disabled ? enable(tenant) : setAsked({ of: 'disable', tenant }))}
                  />
                  <RowButton words="Delete" of={tenant.name} onClick={() => setAsked({ of: 'delete', tenant })} />
                </>
              )}
            </>
          ) : null
        }
      />
      {asked?.of === 'new' ? <NewDialog onClose={close} /> : null}
      {asked?.of === 'rename' ? <RenameDialog tenant={asked.tenant} onClose={close} /> : null}
      {asked?.of === 'delete' ? <DeleteDialog tenant={asked.tenant} onClose={close} /> : null}
      {asked?.of === 'disable' ? (
        <ConfirmDialog
          opened
          title={`Disable ${asked.tenant.name}`}
          action="Disable"
          onClose={close}
          act={() =>
            done(
              () => changeTenant(call, asked.tenant.id, { disabled: true }),
              `${asked.tenant.name} is disabled: all its users and tokens are refused`,
            )
          }
        >
          All its users and tokens are refused at once, those of monitoring systems too. Its data stays, and it can be
          enabled again.
        </ConfirmDialog>
      ) : null}
    </AdminPage>
  );
}
