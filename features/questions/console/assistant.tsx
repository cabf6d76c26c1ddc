import { ActionIcon, Button, Loader, Textarea } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Icon } from '#console/facts/icon.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Failure } from '#console/states/failure.tsx';
import { AnswerView } from './answer.tsx';
import classes from './assistant.module.css';
import { openTalk, type Talk, type TalkQuestion } from './talk.ts';
import { type Subject, useSubject } from './use-subject.ts';

const MOST_LETTERS = 2_000;

interface Props {
  /** Addresses of the pages that the person has. */
  readonly pages: readonly string[];
}

function Offers({
  offers,
  ask,
}: {
  readonly offers: readonly TalkQuestion[];
  readonly ask: (asked: TalkQuestion) => void;
}) {
  return (
    <ul className={classes.offers}>
      {offers.map((offer) => (
        <li key={offer.words}>
          <Button variant="default" className={classes.offer ?? ''} onClick={() => ask(offer)}>
            {offer.words}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Turns({ talk, subject, pages }: Props & { readonly talk: Talk; readonly subject: Subject }) {
  const turns = useSyncExternalStore(talk.subscribe, talk.turns);
  const end = useRef<HTMLDivElement>(null);
  const last = turns.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is brought into view.
  useEffect(() => {
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  const offers =
    last === undefined
      ? subject.questions
      : (last.answer?.suggestions ?? []).map((words) => ({ words, currentCI: subject.ci }));
  return (
    <div className={classes.talk} role="log" aria-label="Conversation">
      {turns.length === 0 ? (
        <p className={classes.note}>
          Ask in your own words about events, causes, CIs and services. It only reads, with your permissions; each
          sentence leads to what it stands on.
        </p>
      ) : null}
      {turns.map((turn) => (
        <div key={turn.id} className={classes.turn}>
          <p className={classes.question}>{turn.question}</p>
          {turn.answer === null ? null : <AnswerView answer={turn.answer} pages={pages} />}
          {turn.error === null ? null : (
            <Failure error={turn.error} what="The answer" retry={() => void talk.again()} />
          )}
          {turn.answer === null && turn.error === null ? (
            <p className={classes.note} role="status">
              <Loader size={12} /> Looking it up…
            </p>
          ) : null}
        </div>
      ))}
      {talk.isBusy() ? null : <Offers offers={offers} ask={(asked) => void talk.ask(asked)} />}
      <div ref={end} />
    </div>
  );
}

interface DrawerProps extends Props {
  readonly talk: Talk;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly close: () => void;
}
function Drawer({ talk, pages, text, setText, close }: DrawerProps) {
  const subject = useSubject(true);
  const submit = (event: Pick<FormEvent, 'preventDefault'>): void => {
    event.preventDefault();
    if (text.trim() === '' || talk.isBusy()) return;
    void talk.ask({ words: text.trim(), currentCI: subject.ci });
    setText('');
  };
  return (
    <aside
      className={classes.drawer}
      aria-label="Assistant"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <header className={classes.head}>
        <h2 className={classes.title}>Assistant</h2>
        <Button variant="subtle" size="compact-xs" onClick={talk.forget}>
          Start anew
        </Button>
        <ActionIcon aria-label="Close the assistant" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </header>
      {subject.words === '' ? null : <p className={classes.subject}>About: {subject.words}</p>}
      <Turns talk={talk} subject={subject} pages={pages} />
      <form className={classes.form} onSubmit={submit}>
        <Textarea
          aria-label="Question"
          placeholder="Why is web-1 slow?"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={MOST_LETTERS}
          value={text}
          autoFocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) submit(event);
          }}
        />
        <Button type="submit" disabled={text.trim() === ''}>
          Ask
        </Button>
      </form>
    </aside>
  );
}

/** A button in the header, and the drawer that it opens beside any page. */
export function Assistant({ pages }: Props) {
  const { call } = useParts();
  const me = useMe();
  const [talk] = useState(() => openTalk(call));
  const [isOpen, setOpen] = useState(false);
  // A half-typed question is there again when it opens the next time.
  const [text, setText] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const may = me.features.ai && me.permissions.includes('ai.use');
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useShortcuts([
    {
      keys: 'mod+j',
      words: 'Ask the assistant',
      section: 'Everywhere',
      isActive: may,
      run: () => (isOpen ? close() : setOpen(true)),
    },
  ]);
  if (!may) return null;
  return (
    <>
      <ActionIcon
        ref={button}
        aria-label="Ask the assistant"
        title="Ask the assistant (Ctrl J)"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <Icon name="chat" />
      </ActionIcon>
      {isOpen ? <Drawer talk={talk} pages={pages} text={text} setText={setText} close={close} /> : null}
    </>
  );
}
