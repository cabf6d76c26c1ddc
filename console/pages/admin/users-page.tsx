import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { changeUser, listUsers, makeUser, removeUser, type UserAccount } from '#console/api/admin/admin.ts';
import { MoreRows } from '#console/data/more-rows.tsx';
import { Section } from '#console/data/section.tsx';
import { SimpleTable } from '#console/data/simple-table.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Region } from '#console/states/region.tsx';
import { ROLES } from '#domain/access/permissions.ts';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';

const USERS = ['users'] as const;
const text = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** Who may sign in, and as what. */
export function UsersPage() {
  const { call } = useParts();
  const me = useMe();
  const attempt = useAttempt(USERS);
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<UserAccount | null>(null);
  const [leaving, setLeaving] = useState<UserAccount | null>(null);
  const { found, rows, total } = usePages(USERS, (cursor, signal) => listUsers(call, cursor, signal));
  const make = async (form: FormData): Promise<void> => {
    const name = text(form, 'name');
    await makeUser(call, {
      ...{ username: text(form, 'username'), role: text(form, 'role'), password: String(form.get('password') ?? '') },
      ...(name !== '' && { name }),
    });
    await found.refetch();
  };
  const change = async (form: FormData): Promise<void> => {
    const password = String(form.get('password') ?? '');
    await changeUser(call, edited?.id ?? '', {
      ...{ name: text(form, 'name'), role: text(form, 'role') },
      ...(password !== '' && { password }),
    });
    await found.refetch();
  };
  return (
    <AdminPage
      title="Users"
      lead="Who may sign in, and as what. Nobody gives a role above their own."
      actions={<Button onClick={() => setNew(true)}>Add a user</Button>}
    >
      <Section title="Users of this tenant" flush>
        <Region query={found} what="The users">
          {() => (
            <SimpleTable
              label="Users"
              rows={rows}
              idOf={({ id }) => id}
              isDim={({ disabled }) => disabled}
              columns={[
                {
                  title: 'User',
                  isName: true,
                  isWide: true,
                  cell: ({ name, username }) => (
                    <>
                      {name} <span className={classes.note}>{username}</span>
                    </>
                  ),
                },
                { title: 'Role', cell: ({ role }) => role },
                { title: 'May sign in', cell: ({ disabled }) => (disabled ? 'no' : 'yes') },
                { title: 'Since', cell: ({ created_at: at }) => <When at={at} /> },
              ]}
              actions={(user) => (
                <>
                  <Button variant="subtle" size="compact-xs" onClick={() => setEdited(user)}>
                    Change
                  </Button>
                  {user.id === me.user._id ? null : (
                    <>
                      <Button
                        variant="subtle"
                        color="gray"
                        size="compact-xs"
                        onClick={() =>
                          void attempt(() => changeUser(call, user.id, { disabled: !user.disabled }), {
                            done: user.disabled
                              ? `${user.name} may sign in again`
                              : `${user.name} is signed out everywhere`,
                            failed: 'The user could not be changed',
                          })
                        }
                      >
                        {user.disabled ? 'Enable' : 'Disable'}
                      </Button>
                      <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setLeaving(user)}>
                        Remove
                      </Button>
                    </>
                  )}
                </>
              )}
            />
          )}
        </Region>
        <MoreRows
          shown={rows.length}
          total={total}
          hasMore={found.hasNextPage}
          isReading={found.isFetchingNextPage}
          more={found.fetchNextPage}
        />
      </Section>
      <FormDialog opened={isNew} title="Add a user" action="Add" onClose={() => setNew(false)} send={make}>
        {(problems) => (
          <>
            <TextInput
              name="username"
              label="User name"
              required
              maxLength={64}
              error={problems.username}
              data-autofocus
            />
            <TextInput name="name" label="Name" maxLength={255} error={problems.name} />
            <Select
              name="role"
              label="Role"
              data={[...ROLES]}
              defaultValue="operator"
              allowDeselect={false}
              error={problems.role}
            />
            <PasswordInput
              name="password"
              label="Password"
              description="At least 12 characters"
              size="xs"
              required
              maxLength={256}
              autoComplete="new-password"
              error={problems.password}
            />
          </>
        )}
      </FormDialog>
      <FormDialog
        opened={edited !== null}
        title={`Change ${edited?.name ?? ''}`}
        action="Save"
        onClose={() => setEdited(null)}
        send={change}
      >
        {(problems) => (
          <>
            <TextInput
              name="name"
              label="Name"
              required
              maxLength={255}
              defaultValue={edited?.name}
              error={problems.name}
            />
            <Select
              name="role"
              label="Role"
              data={[...ROLES]}
              defaultValue={edited?.role ?? null}
              allowDeselect={false}
              error={problems.role}
            />
            <PasswordInput
              name="password"
              label="New password"
              description="Empty: the password stays. A new one signs the user out everywhere."
              maxLength={256}
              autoComplete="new-password"
              error={problems.password}
            />
          </>
        )}
      </FormDialog>
      <ConfirmDialog
        opened={leaving !== null}
        title={`Remove ${leaving?.name ?? ''}`}
        action="Remove"
        onClose={() => setLeaving(null)}
        act={() =>
          attempt(() => removeUser(call, leaving?.id ?? ''), {
            done: `${leaving?.name ?? ''} is removed`,
            failed: 'The user could not be removed',
          })
        }
      >
        What this person did keeps the name. It cannot be taken back; disabling can.
      </ConfirmDialog>
    </AdminPage>
  );
}
