import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './form-dialog.tsx';
import * as text from './texts.ts';

interface Props {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly isReady?: boolean;
  /** The server rejects an empty reason. */
  readonly needsReason?: boolean;
  readonly onClose: () => void;
  /** Rejects when the server has not done it: the dialog stays, with the reason. */
  readonly act: (reason: string) => Promise<unknown>;
}

/** Asks once more, and why, before something that others will see. */
export function ReasonDialog({ children, isReady = true, needsReason = false, act, ...dialog }: Props) {
  const [isFilled, setFilled] = useState(false);
  return (
    <FormDialog
      {...dialog}
      size="lg"
      // The browser accepts blanks as a reason.
      isReady={isReady && (isFilled || !needsReason)}
      send={(form) => act(String(form.get('reason') ?? '').trim())}
    >
      {(problems) => (
        <>
          {children}
          <Textarea
            name="reason"
            label={text.reason}
            required={needsReason}
            error={problems.reason}
            autosize
            minRows={2}
            maxLength={4_096}
            onChange={({ currentTarget }) => setFilled(currentTarget.value.trim() !== '')}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  );
}
