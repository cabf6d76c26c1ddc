import { Button, PasswordInput, type PasswordInputProps, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import {
  changeUser,
  type Invitation,
  inviteAgain,
  inviteUser,
  listUsers,
  makeUser,
  removeUser,
  type UserAccount,
} from '#console/api/admin/admin.ts';
import { listTeams } from '#console/api/admin/teams.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, timeColumn } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { names } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { IdField, NameField } from './parts/name-fields.tsx';
import { rolesToGive } from './parts/role-words.ts';
import { TEAMS, USERS } from './parts/use-users.ts';
import * as text from './texts.ts';

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
      label={text.roleLabel}
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

interface MailProps {
  readonly value?: string | undefined;
  readonly error: string | undefined;
  /** The first field of its form, which then needs it. */
  readonly leads?: boolean;
  readonly onMail?: (mail: string) => void;
}
const MailField = ({ value, error, leads = false, onMail }: MailProps) => (
  <TextInput
    type="email"
    name="mail"
    label={text.email}
    required={leads}
    maxLength={254}
    autoComplete="off"
    defaultValue={value}
    onChange={({ currentTarget }) => onMail?.(currentTarget.value.trim())}
    error={error}
    data-autofocus={leads || undefined}
  />
);

function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const { call } = useAppServices();
  const done = useDone(USERS);
  const make = (form: FormData): Promise<void> => {
    const [username, name] = [textOf(form, 'username'), textOf(form, 'name')];
    const password = String(form.get('password') ?? '');
    const mail = textOf(form, 'mail');
    const known = { username, role: textOf(form, 'role'), password };
    const draft = { ...known, ...(name !== '' && { name }), ...(mail !== '' && { mail }) };
    return done(() => makeUser(call, draft), text.added(name || username));
  };
  return (
    <FormDialog opened title={text.addUser} action={text.add} onClose={onClose} send={make}>
      {(problems) => (
        <>
          <IdField
            name="username"
            label={text.username}
            description={text.usernameHelp}
            most={64}
            error={problems.username}
          />
          <NameField error={problems.name} />
          <MailField error={problems.mail} />
          <RoleSelect value="operator" error={problems.role} />
          <PasswordField label={text.password} description={text.passwordHelp} required error={problems.password} />
        </>
      )}
    </FormDialog>
  );
}

/** Invites by email address; `onInvited` shows the link where no mail was sent. */
function InviteDialog({ onClose, onInvited }: InviteProps) {
  const { call } = useAppServices();
  const done = useDone(USERS);
  const invite = (form: FormData): Promise<void> => {
    const [mail, username, name] = [textOf(form, 'mail'), textOf(form, 'username'), textOf(form, 'name')];
    const role = textOf(form, 'role') as UserAccount['role'];
    const draft = { mail, role, ...(username !== '' && { username }), ...(name !== '' && { name }) };
    return done(async () => onInvited(await inviteUser(call, draft)), null);
  };
  return (
    <FormDialog opened title={text.inviteUser} action={text.invite} onClose={onClose} send={invite}>
      {(problems) => (
        <>
          <MailField error={problems.mail} leads />
          <TextInput
            name="username"
            label={text.username}
            description={text.invitedUsernameHelp}
            maxLength={64}
            autoComplete="off"
            error={problems.username}
          />
          <NameField error={problems.name} />
          <RoleSelect value="operator" error={problems.role} />
        </>
      )}
    </FormDialog>
  );
}
interface InviteProps {
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invitation) => void;
}

interface ChangeProps {
  readonly user: UserAccount;
  readonly onClose: () => void;
}

/** Changes by saving; a password is not shown. */
const changesOf = (
  user: UserAccount,
  wish: { readonly name: string; readonly mail: string; readonly role: string; readonly password: string },
) => [
  ...(wish.name === user.name ? [] : [{ field: text.name, before: user.name, after: wish.name }]),
  ...(wish.mail === (user.mail ?? '')
    ? []
    : [{ field: text.email, before: user.mail ?? '–', after: wish.mail || '–' }]),
  ...(wish.role === user.role ? [] : [{ field: text.roleLabel, before: user.role, after: wish.role }]),
  ...(wish.password === '' ? [] : [{ field: text.password, before: text.unchanged, after: text.newLabel }]),
];

function ChangeUserDialog({ user, onClose }: ChangeProps) {
  const { call } = useAppServices();
  const done = useDone(USERS);
  const [wish, setWish] = useState<{ name: string; mail: string; role: string; password: string }>({
    name: user.name,
    mail: user.mail ?? '',
    role: user.role,
    password: '',
  });
  const { name, mail, role, password } = wish;
  const change = (): Promise<void> => {
    // Untouched fields are not sent: another person may have changed them meanwhile.
    const patch = {
      ...(name !== user.name && { name }),
      ...(role !== user.role && { role }),
      ...(mail !== (user.mail ?? '') && { mail: mail || null }),
      ...(password !== '' && { password }),
    };
    return done(() => changeUser(call, user.id, patch), text.saved(name));
  };
  return (
    <FormDialog
      opened
      title={text.edit(user.name)}
      action={text.save}
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
          <MailField
            value={user.mail ?? ''}
            error={problems.mail}
            onMail={(changed) => setWish((before) => ({ ...before, mail: changed }))}
          />
          <RoleSelect
            value={user.role}
            error={problems.role}
            onRole={(changed) => setWish((before) => ({ ...before, role: changed }))}
          />
          <PasswordField
            label={text.newPassword}
            description={text.newPasswordHelp}
            error={problems.password}
            onChange={({ currentTarget: { value } }) => setWish((before) => ({ ...before, password: value }))}
          />
        </>
      )}
    </FormDialog>
  );
}

const COLUMNS: readonly SimpleColumn<UserAccount>[] = [
  {
    title: text.userTitle,
    isName: true,
    cell: ({ name, username }) => <NameCell name={name} {...(name !== username && { note: username })} />,
    value: ({ username }) => username,
  },
  { title: text.roleLabel, cell: ({ role }) => role },
  { title: text.email, cell: ({ mail }) => mail ?? '–' },
  {
    title: text.status,
    cell: ({ disabled, invited_until: until }) =>
      disabled ? (
        text.disabled
      ) : until === null ? (
        text.active
      ) : (
        <>
          {text.invitedUntil} <Timestamp at={until} />
        </>
      ),
    value: ({ disabled, invited_until: until }) =>
      disabled ? text.disabled : until === null ? text.active : `${text.invitedUntil} ${until}`,
  },
  timeColumn(text.created, ({ created_at: at }) => at),
];

/** Names of the teams of each user. */
const useTeamsOf = (): ((user: string) => string) => {
  const { data } = useRead(TEAMS, (call, signal) => listTeams(call, undefined, signal));
  return (user) => {
    const own = (data?.data ?? []).filter(({ members }) => members.includes(user));
    return own.length === 0 ? '–' : names(own.map(({ name }) => name));
  };
};

/** Users and their roles. */
export function UsersPage() {
  const { call, root } = useAppServices();
  const me = useMe();
  const attempt = useAttempt(USERS);
  const done = useDone(USERS);
  const teamsOf = useTeamsOf();
  const [isNew, setNew] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [edited, setEdited] = useState<UserAccount | null>(null);
  const [leaving, setLeaving] = useState<UserAccount | null>(null);
  const list = usePages([...USERS, 'list'], (cursor, signal) => listUsers(call, cursor, signal));
  const allow = ({ id, name, disabled }: UserAccount): Promise<void> =>
    attempt(() => changeUser(call, id, { disabled: !disabled }), {
      done: disabled ? text.enabled(name) : text.disabledUser(name),
      failed: text.couldntUpdate(name),
    });
  const invited = ({ link: given, user: { name } }: Invitation): void => {
    if (given === null) showToast({ text: text.invited(name) });
    else setLink(given.startsWith('/') ? new URL(given.slice(1), root).href : given);
  };
  const resend = (user: UserAccount): Promise<void> =>
    done(async () => invited(await inviteAgain(call, user.id)), null).catch((error: unknown) =>
      showError(text.couldntInvite(user.name), error),
    );
  return (
    <AdminPage
      title={text.users}
      lead={text.usersLead}
      actions={
        <>
          <Button variant="default" onClick={() => setNew(true)}>
            {text.addUser}
          </Button>
          <Button onClick={() => setInviting(true)}>{text.inviteUser}</Button>
        </>
      }
    >
      <AdminList
        title={text.users}
        what={nouns.users}
        list={list}
        idOf={({ id }) => id}
        isDim={({ disabled }) => disabled}
        columns={[...COLUMNS.slice(0, 2), { title: text.teams, cell: ({ id }) => teamsOf(id) }, ...COLUMNS.slice(2)]}
        empty={<Notice title={text.noUsersYet}>{text.noUsersYetHint}</Notice>}
        actions={(user) => (
          <>
            <RowButton words={text.editLabel} of={user.name} isMain onClick={() => setEdited(user)} />
            {user.invited_until === null ? null : (
              <RowButton words={text.resend} of={user.name} onClick={() => resend(user)} />
            )}
            {user.id === me.user._id ? null : (
              <>
                <RowButton
                  words={user.disabled ? text.enable : text.disable}
                  of={user.name}
                  onClick={() => allow(user)}
                />
                <RowButton words={text.remove} of={user.name} onClick={() => setLeaving(user)} />
              </>
            )}
          </>
        )}
      />
      {isNew ? <NewUserDialog onClose={() => setNew(false)} /> : null}
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} onInvited={invited} /> : null}
      <SecretDialog secret={link} title={text.invitationLink} onClose={() => setLink(null)}>
        {text.invitationLinkHint}
      </SecretDialog>
      {edited === null ? null : <ChangeUserDialog user={edited} onClose={() => setEdited(null)} />}
      {leaving === null ? null : (
        <ConfirmDialog
          opened
          title={text.removeOf(leaving.name)}
          action={text.remove}
          onClose={() => setLeaving(null)}
          act={() => done(() => removeUser(call, leaving.id), text.removed(leaving.name))}
        >
          {text.removeUsersWarning}
        </ConfirmDialog>
      )}
    </AdminPage>
  );
}
