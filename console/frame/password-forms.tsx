import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { openPasswordLinks, type PasswordLinks } from '#console/api/session/password-link.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { refusalWords } from '#console/text/refusal-text.ts';
import classes from './frame.module.css';
import * as texts from './texts.ts';

const usePasswordLinks = (): PasswordLinks => {
  const { root, clock } = useAppServices();
  return openPasswordLinks({ root, now: clock.own });
};

interface EntranceFormProps {
  readonly label: string;
  readonly send: (form: FormData) => Promise<void>;
  readonly children: ReactNode;
}

function EntranceForm({ label, send, children }: EntranceFormProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    await send(new FormData(event.currentTarget)).catch((caught: unknown) => setError(refusalWords(caught)));
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} aria-label={label}>
      <Stack gap="md">
        {children}
        {error === null ? null : (
          <p role="alert" className={classes.formError}>
            {error}
          </p>
        )}
        <Button type="submit" size="sm" loading={isBusy} fullWidth>
          {label}
        </Button>
      </Stack>
    </form>
  );
}

const fieldOf = (form: FormData, name: string): string => String(form.get(name) ?? '');

/** Asks for a link to reset the password. */
export function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const links = usePasswordLinks();
  const [isSent, setSent] = useState(false);
  const send = async (form: FormData): Promise<void> => {
    const tenant = fieldOf(form, 'tenant').trim();
    await links.requestReset({ account: fieldOf(form, 'account').trim(), ...(tenant !== '' && { tenant }) });
    setSent(true);
  };
  return (
    <Stack gap="md">
      {isSent ? (
        <p role="status" className={classes.lead}>
          {texts.resetSent}
        </p>
      ) : (
        <EntranceForm label={texts.sendResetLink} send={send}>
          <TextInput
            name="account"
            label={texts.usernameOrEmail}
            size="sm"
            required
            autoComplete="username"
            autoFocus
          />
          <TextInput name="tenant" label={texts.tenantOptional} size="sm" autoComplete="organization" />
        </EntranceForm>
      )}
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {texts.backToSignIn}
      </Anchor>
    </Stack>
  );
}

/** Sets the password of an invited user, or of one who has forgotten it, and signs in. */
export function NewPassword({ code }: { readonly code: string }) {
  const links = usePasswordLinks();
  const { session, root } = useAppServices();
  const send = async (form: FormData): Promise<void> => {
    const password = fieldOf(form, 'password');
    if (password !== fieldOf(form, 'again')) throw new Error(texts.passwordsDontMatch);
    const { username, tenant } = await links.setPassword({ code, password });
    await session.signIn({ username, password, tenant });
    location.replace(new URL('ui/', root));
  };
  return (
    <EntranceForm label={texts.setPassword} send={send}>
      <PasswordInput
        name="password"
        label={texts.newPassword}
        description={texts.passwordRule}
        size="sm"
        required
        maxLength={256}
        autoComplete="new-password"
        autoFocus
      />
      <PasswordInput name="again" label={texts.confirmPassword} size="sm" required autoComplete="new-password" />
    </EntranceForm>
  );
}
