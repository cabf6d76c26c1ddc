import { Anchor, Button, Checkbox, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { QueryErrorResetBoundary, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import type { Session } from '#console/api/session/session.ts';
import type { Credentials } from '#console/api/session/sign-in.ts';
import { offersSingleSignOn, singleSignOnUrl } from '#console/api/session/single-sign-on.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useIsKnown } from '#console/hooks/use-me.ts';
import { Late } from '#console/states/late.tsx';
import { refusalWords } from '#console/text/refusal-text.ts';
import classes from './frame.module.css';
import { PanelBoundary } from './panel-boundary.tsx';
import { ForgottenPassword, NewPassword } from './password-forms.tsx';
import * as texts from './texts.ts';

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
  if (isProblem(error, 401)) return texts.incorrectUsernamePasswordTenant;
  return refusalWords(error);
};

/** Leads to the identity provider, where the server has one. */
function SingleSignOn() {
  const { root } = useAppServices();
  const { data: isOffered = false } = useQuery({
    queryKey: ['single-sign-on'],
    queryFn: () => offersSingleSignOn(root),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isOffered ? (
    <Button component="a" href={singleSignOnUrl(root, location.href)} variant="default" size="sm" fullWidth>
      {texts.singleSignOn}
    </Button>
  ) : null;
}

/** User name and password, or a token of the API. */
function SignInForm({ onForgotten }: { readonly onForgotten?: () => void }) {
  const { session } = useAppServices();
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
    <form onSubmit={(event) => void submit(event)} aria-label={texts.signIn}>
      <Stack gap="md">
        {byToken ? (
          <PasswordInput
            name="token"
            label={texts.apiToken}
            description={texts.keptMemoryTabOnly}
            size="sm"
            required
            autoComplete="off"
            data-autofocus
          />
        ) : (
          <>
            <TextInput
              name="username"
              label={texts.username}
              size="sm"
              required
              autoComplete="username"
              data-autofocus
            />
            <PasswordInput name="password" label={texts.password} size="sm" required autoComplete="current-password" />
            {hasTenant ? <TextInput name="tenant" label={texts.tenant} size="sm" autoComplete="organization" /> : null}
            <Checkbox name="remember" label={texts.keepMeSignedIn} />
          </>
        )}
        {error === null ? null : (
          <p role="alert" className={classes.formError}>
            {error}
          </p>
        )}
        <Button type="submit" size="sm" loading={isBusy} fullWidth>
          {texts.signIn}
        </Button>
        <SingleSignOn />
        <div className={classes.formWays}>
          {byToken || onForgotten === undefined ? null : (
            <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
              {texts.forgotPassword}
            </Anchor>
          )}
          {byToken || hasTenant ? null : (
            <Anchor component="button" type="button" size="sm" onClick={() => setHasTenant(true)}>
              {texts.chooseATenant}
            </Anchor>
          )}
          <Anchor component="button" type="button" size="sm" onClick={() => setByToken(!byToken)}>
            {byToken ? texts.signPassword : texts.signApiToken}
          </Anchor>
        </div>
      </Stack>
    </form>
  );
}

function Waiting() {
  return (
    <Late>
      <p className={classes.waiting} role="status">
        {texts.loading}
      </p>
    </Late>
  );
}

/** `code`: of a link that sets a password. */
function Entrance({ code }: { readonly code: string | null }) {
  const [isForgotten, setForgotten] = useState(false);
  return (
    <main className={classes.entrance}>
      <div className={classes.entranceBox}>
        <h1 className={classes.brandLarge}>{texts.faultline}</h1>
        <p className={classes.lead}>{texts.eventCorrelationRootCause}</p>
        {code !== null ? (
          <NewPassword code={code} />
        ) : isForgotten ? (
          <ForgottenPassword onBack={() => setForgotten(false)} />
        ) : (
          <SignInForm onForgotten={() => setForgotten(true)} />
        )}
      </div>
    </main>
  );
}

function Known({ children }: { readonly children: ReactNode }) {
  const isKnown = useIsKnown();
  return isKnown ? <Suspense fallback={<Waiting />}>{children}</Suspense> : <Waiting />;
}

/** Layer above dialogs, their lists, and messages. */
const TOP = 1_000;

/** A dialog under the sign-in stays open: this receives Escape before it, as it listens from the start. */
const useStill = (session: Session): void => {
  useEffect(() => {
    const stop = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && session.state() === 'lost') event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', stop, { capture: true });
    return () => window.removeEventListener('keydown', stop, { capture: true });
  }, [session]);
};

interface GateProps {
  /** Code of a link that sets a password, which precedes any sign-in; null: none. */
  readonly linkCode: string | null;
  readonly children: ReactNode;
}

/** Shows the console to signed-in users. When a sign-in ends, the page stays and a dialog covers it. */
export function Gate({ linkCode: code, children }: GateProps) {
  const { session } = useAppServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  useStill(session);
  if (code !== null) return <Entrance code={code} />;
  if (state === 'starting') return <Waiting />;
  if (state === 'out') return <Entrance code={null} />;
  return (
    <>
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <PanelBoundary what={texts.theConsole} reset={reset}>
            <Known>{children}</Known>
          </PanelBoundary>
        )}
      </QueryErrorResetBoundary>
      <Modal
        opened={state === 'lost'}
        onClose={() => undefined}
        withCloseButton={false}
        title={texts.youveBeenSignedOut}
        closeOnEscape={false}
        closeOnClickOutside={false}
        zIndex={TOP}
      >
        <p className={classes.lead}>{texts.signContinueNothingYou}</p>
        <SignInForm />
      </Modal>
    </>
  );
}
