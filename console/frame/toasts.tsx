import { Button } from '@mantine/core';
import { hideNotification, Notifications, showNotification } from '@mantine/notifications';
import { isProblem } from '#console/api/link/problem.ts';
import { refusalWords } from '#console/words/refusal-words.ts';
import classes from './frame.module.css';

const SHOWN_MS = 8_000;
/** Long enough to see what was done, and to take it back. */
const UNDO_MS = 30_000;
const ERROR_MS = 15_000;

/** Place of all messages. */
export const Messages = () => (
  <Notifications position="bottom-left" limit={3} aria-live="polite" classNames={{ root: classes.messages ?? '' }} />
);

interface Said {
  readonly text: string;
  readonly undo?: () => unknown;
}

/** Takes the last thing back, as long as its message is there. */
export const undoLast = (): void => {
  const button = document.querySelector<HTMLElement>('[data-undo]');
  if (button === null) say({ text: 'Nothing to undo' });
  else button.click();
};

/** In another tenant there is nothing of it to take back. */
export const forgetUndo = (): void => {
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-undo]')) hideNotification(dataset.undo ?? '');
};

/** Says what was done, and takes it back when asked. The last one of a kind replaces the one before. */
export const say = ({ text, undo }: Said, id = 'said'): void => {
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
            Undo
          </Button>
        )}
      </span>
    ),
  });
};

/** Says that something was not done, and why. */
export const sayFailure = (what: string, error: unknown): void => {
  const why = refusalWords(error);
  const request = isProblem(error) && error.requestId !== null ? ` (request ${error.requestId})` : '';
  showNotification({ color: 'red', autoClose: ERROR_MS, withBorder: true, title: what, message: `${why}${request}` });
};
