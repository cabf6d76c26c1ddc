import { Anchor, Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import type { Credentials } from '#console/api/session/sign-in.ts';
import { useParts } from '#console/hooks/parts.ts';
import { refusalWords } from '#console/words/refusal-words.ts';
import classes from './frame.module.css';

const credentialsOf = (form: FormData, byToken: boolean): Credentials => {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  if (byToken) return { token: text('token') };
  const tenant = text('tenant');
  return {
    username: text('username'),
    password: String(form.get('password') ?? ''),
    remember: form.get('remember') !== null,
    ...(tenant !== '' && { tenant }),
  };
};

const wordsOf = (error: unknown): string => {
  if (isProblem(error, 401)) return 'That is not right. User name, password or tenant is wrong.';
  return refusalWords(error);
};

/** User name and password, or a token of the API. */
export function SignInForm() {
  const { session } = useParts();
  const [byToken, setByToken] = useState(false);
  const [hasTenant, setHasTenant] = useState(false);
  const [error, setError] = useState(session.refusal);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await session.signIn(credentialsOf(new FormData(event.currentTarget), byToken));
    } catch (caught) {
      setError(wordsOf(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} aria-label="Sign in">
      <Stack gap="md">
        {byToken ? (
          <PasswordInput
            name="token"
            label="API token"
            description="It stays in the memory of this tab."
            size="sm"
            required
            autoComplete="off"
            data-autofocus
          />
        ) : (
          <>
            <TextInput name="username" label="User name" size="sm" required autoComplete="username" data-autofocus />
            <PasswordInput name="password" label="Password" size="sm" required autoComplete="current-password" />
            {hasTenant ? <TextInput name="tenant" label="Tenant" size="sm" autoComplete="organization" /> : null}
            <Checkbox name="remember" label="Keep me signed in for 30 days" />
          </>
        )}
        {error === null ? null : (
          <p role="alert" className={classes.formError}>
            {error}
          </p>
        )}
        <Button type="submit" size="sm" loading={isBusy} fullWidth>
          Sign in
        </Button>
        <div className={classes.formWays}>
          <Anchor component="button" type="button" size="sm" onClick={() => setByToken(!byToken)}>
            {byToken ? 'Use a password' : 'Use an API token'}
          </Anchor>
          {byToken || hasTenant ? null : (
            <Anchor component="button" type="button" size="sm" onClick={() => setHasTenant(true)}>
              Name a tenant
            </Anchor>
          )}
        </div>
      </Stack>
    </form>
  );
}
