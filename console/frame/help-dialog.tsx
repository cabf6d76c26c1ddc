import { Modal, Switch } from '@mantine/core';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { comboWords } from '#console/keys/combo.ts';
import { KNOWN_KEYS } from '#console/keys/known.ts';
import type { Shortcut } from '#console/keys/registry.ts';
import classes from './frame.module.css';
import * as text from './texts.ts';

const SECTIONS = ['List', 'Actions', 'Go to', 'Everywhere'] as const;

const Keys = ({ keys }: { readonly keys: string }) => {
  const isMac = navigator.userAgent.includes('Mac');
  return (
    <span>
      {keys.split(' ').map((combo) => (
        <kbd key={combo}>{comboWords(combo, isMac)}</kbd>
      ))}
    </span>
  );
};

const Section = ({ name, shortcuts }: { readonly name: string; readonly shortcuts: readonly Shortcut[] }) =>
  shortcuts.length === 0 ? null : (
    <section>
      <h3 className={classes.helpHead}>{name}</h3>
      <dl className={classes.helpList}>
        {shortcuts.map(({ keys, words }) => (
          <div key={keys}>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );

/** Keys of other pages beside these. */
const Elsewhere = ({ here }: { readonly here: readonly Shortcut[] }) => {
  const known = new Set(here.map(({ keys }) => keys));
  const others = KNOWN_KEYS.filter(({ keys }) => !known.has(keys));
  return others.length === 0 ? null : (
    <section>
      <h3 className={classes.helpHead}>{text.onOtherPages}</h3>
      <dl className={classes.helpList}>
        {others.map(({ keys, words, where }) => (
          <div key={keys}>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>
              {words}, {where}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** All shortcuts: of this page, and those of others. */
export function HelpDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { registry, settings } = useAppServices();
  const { shortcuts } = useSettings();
  const all = opened ? registry.all() : [];
  return (
    <Modal opened={opened} onClose={onClose} title={text.keyboardShortcuts} size="lg">
      <div className={classes.help}>
        {SECTIONS.map((name) => (
          <Section key={name} name={name} shortcuts={all.filter(({ section }) => section === name)} />
        ))}
        <Elsewhere here={all} />
      </div>
      <Switch
        label={text.singleLetterShortcuts}
        description={text.activeWhenListGroup}
        checked={shortcuts}
        onChange={({ currentTarget }) => settings.change({ shortcuts: currentTarget.checked })}
      />
    </Modal>
  );
}
