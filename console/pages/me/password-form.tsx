import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { changePassword } from '#console/api/me.ts';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import classes from './me.module.css';

/** The own password; every other sign-in of this person ends. */
export function PasswordForm() {
  const { call } = useParts();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const [current, next, again] = ['current', 'new', 'again'].map((name) =>
      String(new FormData(form).get(name) ?? ''),
    );
    if (next !== again) {
      setProblems({ again: 'The two are not the same' });
      return;
    }
    setBusy(true);
    try {
      await changePassword(call, current ?? '', next ?? '');
      setProblems({});
      form.reset();
      say({ text: 'The password is changed; other sign-ins of yours have ended' });
    } catch (error) {
      const { fields, message } = isProblem(error) ? error : { fields: {}, message: String(error) };
      setProblems(Object.keys(fields).length === 0 ? { current: message } : fields);
    }
    setBusy(false);
  };
  const field = (name: string, label: string, complete: string) => (
    <PasswordInput
      name={name}
      label={label}
      size="sm"
      required
      autoComplete={complete}
      error={problems[name] ?? (name === 'current' ? problems.currentPassword : problems.newPassword)}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event)} className={classes.form} aria-label="Change the password">
      {field('current', 'Password now', 'current-password')}
      {field('new', 'New password', 'new-password')}
      {field('again', 'New password once more', 'new-password')}
      <Button type="submit" loading={isBusy}>
        Change the password
      </Button>
    </form>
  );
}
