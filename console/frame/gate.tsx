import { Modal } from '@mantine/core';
import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import type { Session } from '#console/api/session/session.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useIsKnown } from '#console/hooks/use-me.ts';
import { Late } from '#console/states/late.tsx';
import classes from './frame.module.css';
import { PanelBoundary } from './panel-boundary.tsx';
import { SignInForm } from './sign-in-form.tsx';

function Waiting() {
  return (
    <Late>
      <p className={classes.waiting} role="status">
        Opening the console…
      </p>
    </Late>
  );
}

function Entrance() {
  return (
    <main className={classes.entrance}>
      <div className={classes.entranceBox}>
        <h1 className={classes.brandLarge}>Faultline</h1>
        <p className={classes.lead}>From a flood of events to the few faults behind them.</p>
        <SignInForm />
      </div>
    </main>
  );
}

function Known({ children }: { readonly children: ReactNode }) {
  const isKnown = useIsKnown();
  return isKnown ? <Suspense fallback={<Waiting />}>{children}</Suspense> : <Waiting />;
}

/** Above dialogs, their lists, and messages. */
const TOP = 1_000;

/** A dialog that lies under the sign-in stays as it is: this hears Escape before it, as it listens from the start. */
const useStill = (session: Session): void => {
  useEffect(() => {
    const stop = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && session.state() === 'lost') event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', stop, { capture: true });
    return () => window.removeEventListener('keydown', stop, { capture: true });
  }, [session]);
};

/** Shows the console to those who have signed in. When a sign-in ends, the page stays and a dialog lies over it. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { session } = useParts();
  const state = useSyncExternalStore(session.subscribe, session.state);
  useStill(session);
  if (state === 'starting') return <Waiting />;
  if (state === 'out') return <Entrance />;
  return (
    <>
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <PanelBoundary what="The console" reset={reset}>
            <Known>{children}</Known>
          </PanelBoundary>
        )}
      </QueryErrorResetBoundary>
      <Modal
        opened={state === 'lost'}
        onClose={() => undefined}
        withCloseButton={false}
        title="You were signed out"
        closeOnEscape={false}
        closeOnClickOutside={false}
        zIndex={TOP}
      >
        <p className={classes.lead}>Sign in again to go on where you were. Nothing that you typed is lost.</p>
        <SignInForm />
      </Modal>
    </>
  );
}
