import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from '#console/components/copy.ts';
import { Icon } from '#console/components/icon.tsx';
import * as texts from './texts.ts';

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard and confirms it in place. */
export function CopyButton({ text, words = texts.copy }: { readonly text: string; readonly words?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      variant="default"
      leftSection={<Icon name={said === 'Copied' ? 'check' : 'copy'} size={14} />}
      onClick={() => void copyText(text).then((done) => setSaid(done ? texts.copied : texts.copyFailed))}
    >
      <span aria-live="polite">{said ?? words}</span>
    </Button>
  );
}
