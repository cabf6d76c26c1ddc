import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from '#console/facts/copy.ts';
import { Icon } from '#console/facts/icon.tsx';

const SHOWN_MS = 2_000;

/** Puts a text on the clipboard and says so in its place. */
export function CopyButton({ text, words = 'Copy' }: { readonly text: string; readonly words?: string }) {
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
      onClick={() => void copyText(text).then((done) => setSaid(done ? 'Copied' : 'Not allowed'))}
    >
      <span aria-live="polite">{said ?? words}</span>
    </Button>
  );
}
