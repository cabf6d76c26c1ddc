import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import { changeTenant, listTenants, makeTenant, removeTenant, type Tenant } from '#console/api/admin/tenants.ts';
import type { MarkKind } from '#console/components/mark/kinds.ts';
import { Mark } from '#console/components/mark/mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, timeColumn } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { IdField, NameField } from './parts/name-fields.tsx';
import * as text from './texts.ts';

const TENANTS = ['tenants'] as const;
const GOING_MS = 3_000;

const stateOf = ({ state, disabled }: Tenant): readonly [MarkKind, string] => {
  if (state === 'deleting') return ['caution', text.deleting];
  if (state === 'deleted') return ['quiet', text.deletedState];
  return disabled ? ['quiet', text.disabled] : ['good', text.active];
};

function State({ tenant }: { readonly tenant: Tenant }) {
  const [kind, words] = stateOf(tenant);
  const { taken_until: until } = tenant;
  return (
    <Mark kind={kind}>
      {words}
      {until === null ? null : (
        <>
          {text.nameReusableFrom} <Timestamp at={until} />
        </>
      )}
    </Mark>
  );
}

const columns = (own: string): readonly SimpleColumn<Tenant>[] => [
  {
    title: text.tenant,
    isName: true,
    cell: ({ id, name }) => <NameCell name={id === own ? text.yours(name) : name} {...(id !== name && { note: id })} />,
    value: ({ id }) => id,
  },
  { title: text.status, cell: (tenant) => <State tenant={tenant} />, value: (tenant) => stateOf(tenant)[1] },
  timeColumn(text.created, ({ created_at: at }) => at),
];

function NewDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useAppServices();
  const done = useDone(TENANTS);
  const make = (form: FormData): Promise<void> => {
    const [id, name] = [textOf(form, 'id'), textOf(form, 'name')];
    return done(() => makeTenant(call, { id, ...(name !== '' && { name }) }), text.createdTenant(name || id));
  };
  return (
    <FormDialog opened title={text.createTenant} action={text.create} onClose={onClose} send={make}>
      {(problems) => (
        <>
          <IdField name="id" label={text.id} description={text.idHelp} most={63} error={problems.id} />
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
  const { call } = useAppServices();
  const done = useDone(TENANTS);
  return (
    <FormDialog
      opened
      title={text.rename(id)}
      action={text.renameLabel}
      onClose={onClose}
      send={(form) => done(() => changeTenant(call, id, { name: textOf(form, 'name') }), text.renamed(id))}
    >
      {(problems) => <NameField value={name} error={problems.name} leads />}
    </FormDialog>
  );
}

function DeleteDialog({ tenant: { id, name }, onClose }: OfTenant) {
  const { call, tenant } = useAppServices();
  const done = useDone(TENANTS);
  const remove = async (): Promise<void> => {
    await done(() => removeTenant(call, id), text.deletingOf(name));
    // Nothing can be read of it any more.
    if (tenant.get() === id) tenant.choose(null);
  };
  return (
    <ConfirmDialog
      opened
      title={text.deleteOf(name)}
      action={text.deleteTenant}
      typed={id}
      onClose={onClose}
      act={remove}
    >
      {text.deleteTenantsWarning}
    </ConfirmDialog>
  );
}

type TenantDialog = { readonly of: 'rename' | 'disable' | 'delete'; readonly tenant: Tenant } | { readonly of: 'new' };

/** All tenants of this server. */
export function TenantsPage() {
  const { call, tenant: choice } = useAppServices();
  const me = useMe();
  const navigate = useNavigate();
  const attempt = useAttempt(TENANTS);
  const done = useDone(TENANTS);
  const [asked, setAsked] = useState<TenantDialog | null>(null);
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
      done: text.enabled(name),
      failed: text.couldntEnable(name),
    });
  return (
    <AdminPage
      title={text.tenants}
      lead={text.tenantsLead}
      actions={<Button onClick={() => setAsked({ of: 'new' })}>{text.createTenant}</Button>}
    >
      <AdminList
        title={text.tenants}
        what={nouns.tenants}
        list={list}
        idOf={({ id }) => id}
        isDim={({ disabled }) => disabled}
        isCurrent={({ id }) => id === me.tenant.id}
        columns={columns(me.tenant.own)}
        empty={<Notice title={text.noTenants}>{text.noTenantsHint}</Notice>}
        actions={(tenant) =>
          tenant.state === 'active' ? (
            <>
              {tenant.id === me.tenant.id || tenant.disabled ? null : (
                <RowButton words={text.switchTo} of={`: ${tenant.name}`} isMain onClick={() => look(tenant.id)} />
              )}
              <RowButton words={text.renameLabel} of={tenant.name} onClick={() => setAsked({ of: 'rename', tenant })} />
              {tenant.id === me.tenant.own ? null : (
                <>
                  <RowButton
                    words={tenant.disabled ? text.enable : text.disable}
                    of={tenant.name}
                    onClick={() => (tenant.disabled ? enable(tenant) : setAsked({ of: 'disable', tenant }))}
                  />
                  <RowButton
                    words={text.deleteLabel}
                    of={tenant.name}
                    onClick={() => setAsked({ of: 'delete', tenant })}
                  />
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
          title={text.disableOf(asked.tenant.name)}
          action={text.disable}
          onClose={close}
          act={() =>
            done(() => changeTenant(call, asked.tenant.id, { disabled: true }), text.disabledTenant(asked.tenant.name))
          }
        >
          {text.disableTenantsWarning}
        </ConfirmDialog>
      ) : null}
    </AdminPage>
  );
}
