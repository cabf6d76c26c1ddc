import { Button } from '@mantine/core';
import { useState } from 'react';
import { copyText } from './copy.ts';
import classes from './facts.module.css';
import { Icon } from './icon.tsx';
import * as texts from './texts.ts';

interface Props {
  readonly title: string;
  readonly text: string;
  /** The part that has to be inserted manually, as in "a token". */
  readonly lacks?: string | undefined;
}

const SAID_MS = 2_000;

/** Text to paste elsewhere. */
export function Snippet({ title, text, lacks }: Props) {
  const [said, setSaid] = useState<string | null>(null);
  const copied = lacks === undefined ? texts.copied : texts.copiedWithoutThe(lacks);
  const copy = async (): Promise<void> => {
    setSaid((await copyText(text)) ? copied : texts.copyFailedSelectText);
    setTimeout(() => setSaid(null), SAID_MS);
  };
  return (
    <figure className={classes.snippet}>
      <figcaption className={classes.snippetHead}>
        <span>{title}</span>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<Icon name="copy" size={12} />}
          onClick={() => void copy()}
        >
          {said ?? texts.copy}
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
