import { Button } from '@mantine/core';
import { hideNotification, Notifications, showNotification } from '@mantine/notifications';
import { isProblem } from '#console/api/link/problem.ts';
import { refusalWords } from '#console/text/refusal-text.ts';
import classes from './frame.module.css';
import * as messages from './texts.ts';

const SHOWN_MS = 8_000;
/** Long enough to see the action, and to undo it. */
const UNDO_MS = 30_000;
const ERROR_MS = 15_000;

/** Place of all messages. */
export const Messages = () => (
  <Notifications position="bottom-center" limit={3} aria-live="polite" classNames={{ root: classes.messages ?? '' }} />
);

interface ToastMessage {
  readonly text: string;
  readonly undo?: () => unknown;
}

/** Undoes the last action, as long as its message is shown. */
export const undoLast = (): void => {
  const button = document.querySelector<HTMLElement>('[data-undo]');
  if (button === null) showToast({ text: messages.nothingToUndo });
  else button.click();
};

/** Clears the undo: it does not apply to another tenant. */
export const forgetUndo = (): void => {
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-undo]')) hideNotification(dataset.undo ?? '');
};

/** Confirms an action, and undoes it on request. The last one of a kind replaces the one before. */
export const showToast = ({ text, undo }: ToastMessage, id = 'said'): void => {
  hideNotification(id);
  showNotification({
    id,
    // The list of messages is polite; this is no alarm beside it.
    role: 'group',
    autoClose: undo === undefined ? SHOWN_MS : UNDO_MS,
    withBorder: true,
    message: (
      <span className={classes.toast}>
        {text}
        {undo === undefined ? null : (
          <Button
            variant="subtle"
            size="compact-xs"
            data-undo={id}
            onClick={() => {
              hideNotification(id);
              undo();
            }}
          >
            {messages.undo}
          </Button>
        )}
      </span>
    ),
  });
};

/** Shows that an action failed, and the reason. */
export const showError = (what: string, error: unknown): void => {
  const why = refusalWords(error);
  const request = isProblem(error) && error.requestId !== null ? messages.requestId(error.requestId) : '';
  showNotification({ color: 'red', autoClose: ERROR_MS, withBorder: true, title: what, message: `${why}${request}` });
};
