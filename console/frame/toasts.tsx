import { Button } from '@mantine/core';
import { hideNotification, showNotification } from '@mantine/notifications';
import { isProblem } from '#console/api/link/problem.ts';
import classes from './frame.module.css';

const SHOWN_MS = 8_000;
const ERROR_MS = 15_000;

interface Said {
  readonly text: string;
  readonly undo?: () => unknown;
}

/** Says what was done, and takes it back when asked. The last one of a kind replaces the one before. */
export const say = ({ text, undo }: Said, id = 'said'): void => {
  hideNotification(id);
  showNotification({
    id,
    autoClose: SHOWN_MS,
    withBorder: true,
    message: (
      <span className={classes.toast}>
        {text}
        {undo === undefined ? null : (
          <Button
            variant="subtle"
            size="compact-xs"
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
  const why = error instanceof Error ? error.message : String(error);
  const request = isProblem(error) && error.requestId !== null ? ` (request ${error.requestId})` : '';
  showNotification({ color: 'red', autoClose: ERROR_MS, withBorder: true, title: what, message: `${why}${request}` });
};
