import { PasswordInput, type PasswordInputProps, Select } from '@mantine/core';
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
}

function RoleSelect({ value, error }: RoleProps) {
  const roles = rolesToGive(useMe().permissions);
  const isAbove = roles.every((role) => role.value !== value);
  return (
    <Select
      name="role"
      label="Role"
      data={isAbove ? [...roles, { value, label: value }] : roles}
      defaultValue={value}
      allowDeselect={false}
      error={error}
    />
  );
}

const PasswordField = (
  props: Pick<PasswordInputProps, 'label' | 'description' | 'required'> & { readonly error: string | undefined },
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

export function ChangeUserDialog({ user, onClose }: ChangeProps) {
  const { call } = useParts();
  const done = useDone(USERS);
  const change = (form: FormData): Promise<void> => {
    const [name, role] = [textOf(form, 'name'), textOf(form, 'role')];
    const password = String(form.get('password') ?? '');
    // Untouched fields are not sent: another person may have changed them meanwhile.
    const patch = {
      ...(name !== user.name && { name }),
      ...(role !== user.role && { role }),
      ...(password !== '' && { password }),
    };
    return done(() => changeUser(call, user.id, patch), `${name} is changed`);
  };
  return (
    <FormDialog opened title={`Change ${user.name}`} action="Save" onClose={onClose} send={change}>
      {(problems) => (
        <>
          <NameField value={user.name} error={problems.name} leads />
          <RoleSelect value={user.role} error={problems.role} />
          <PasswordField
            label="New password"
            description="Empty: the password stays. A new one signs the user out everywhere."
            error={problems.password}
          />
        </>
      )}
    </FormDialog>
  );
}
