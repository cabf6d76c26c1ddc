import { PasswordInput, type PasswordInputProps, Select } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { changeUser, makeUser, type UserAccount } from '#console/api/admin/admin.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { IdField, NameField } from './parts/name-fields.tsx';
import { rolesToGive } from './parts/role-words.ts';
import { USERS } from './parts/use-users.ts';

interface RoleProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onRole?: (role: string) => void;
}

function RoleSelect({ value, error, onRole }: RoleProps) {
  const roles = rolesToGive(useMe().permissions);
  const isAbove = roles.every((role) => role.value !== value);
  return (
    <Select
      name="role"
      label="Role"
      data={isAbove ? [...roles, { value, label: value }] : roles}
      defaultValue={value}
      allowDeselect={false}
      onChange={(role) => onRole?.(role ?? value)}
      error={error}
    />
  );
}

const PasswordField = (
  props: Pick<PasswordInputProps, 'label' | 'description' | 'required' | 'onChange'> & {
    readonly error: string | undefined;
  },
) => <PasswordInput {...props} name="password" maxLength={256} autoComplete="new-password" />;

export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useParts();
  const done = useDone(USERS);
  const make = (form: FormData): Promise<void> => {
    const [username, name] = [textOf(form, 'username'), textOf(form, 'name')];
    const password = String(form.get('password') ?? '');
    const draft = { username, role: textOf(form, 'role'), password, ...(name !== '' && { name }) };
    return done(() => makeUser(call, draft), `${name || username} may sign in now`);
  };
  return (
    <FormDialog opened title="Add a user" action="Add" onClose={onClose} send={make}>
      {(problems) => (
        <>
          <IdField
            name="username"
            label="User name"
            description="What the person signs in with; it stays"
            most={64}
            error={problems.username}
          />
          <NameField error={problems.name} />
          <RoleSelect value="operator" error={problems.role} />
          <PasswordField
            label="Password"
            description="At least 12 characters; the person can change it"
            required
            error={problems.password}
          />
        </>
      )}
    </FormDialog>
  );
}

interface ChangeProps {
  readonly user: UserAccount;
  readonly onClose: () => void;
}

/** Changes by saving; a password is not shown. */
const changesOf = (
  user: UserAccount,
  wish: { readonly name: string; readonly role: string; readonly password: string },
) => [
  ...(wish.name === user.name ? [] : [{ field: 'Name', before: user.name, after: wish.name }]),
  ...(wish.role === user.role ? [] : [{ field: 'Role', before: user.role, after: wish.role }]),
  ...(wish.password === '' ? [] : [{ field: 'Password', before: 'as it is', after: 'the new one' }]),
];

export function ChangeUserDialog({ user, onClose }: ChangeProps) {
  const { call } = useParts();
  const done = useDone(USERS);
  const [wish, setWish] = useState<{ name: string; role: string; password: string }>({
    name: user.name,
    role: user.role,
    password: '',
  });
  const { name, role, password } = wish;
  const change = (): Promise<void> => {
    // Untouched fields are not sent: another person may have changed them meanwhile.
    const patch = {
      ...(name !== user.name && { name }),
      ...(role !== user.role && { role }),
      ...(password !== '' && { password }),
    };
    return done(() => changeUser(call, user.id, patch), `${name} is changed`);
  };
  return (
    <FormDialog
      opened
      title={`Change ${user.name}`}
      action="Save"
      changes={changesOf(user, wish)}
      onClose={onClose}
      send={change}
    >
      {(problems) => (
        <>
          <NameField
            value={user.name}
            error={problems.name}
            leads
            onName={(changed) => setWish((before) => ({ ...before, name: changed }))}
          />
          <RoleSelect
            value={user.role}
            error={problems.role}
            onRole={(changed) => setWish((before) => ({ ...before, role: changed }))}
          />
          <PasswordField
            label="New password"
            description="Empty: the password stays. A new one signs the user out everywhere."
            error={problems.password}
            onChange={({ currentTarget: { value } }) => setWish((before) => ({ ...before, password: value }))}
          />
        </>
      )}
    </FormDialog>
  );
}
