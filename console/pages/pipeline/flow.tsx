import { Fragment } from 'react';
import type { PipelineHistoryShown, Processor } from '#console/api/pipeline.ts';
import { Icon } from '#console/facts/icon.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { number } from '#console/words/counts.ts';
import classes from './pipeline.module.css';
import { columnsOf, paceOf, rateWords, stageName, statusOf } from './stages.ts';

interface Props {
  readonly processors: readonly Processor[];
  readonly history: PipelineHistoryShown | undefined;
  readonly chosen: string | null;
  readonly choose: (name: string) => void;
}

/** The way of an event through the stages; choosing one lets it stand out in the charts. */
export function Flow({ processors, history, chosen, choose }: Props) {
  return (
    <div className={classes.flow}>
      {columnsOf(processors).map(({ words, stages }, at) => (
        <Fragment key={words}>
          {at === 0 ? null : (
            <span className={classes.arrow} aria-hidden>
              <Icon name="right" size={14} />
            </span>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
          <div className={classes.step} role="group" aria-label={words}>
            <span className={classes.stepName}>{words}</span>
            {stages.map((stage) => (
              <button
                key={stage.name}
                type="button"
                className={classes.stage}
                aria-pressed={stage.name === chosen}
                data-kind={statusOf(stage).kind}
                title={statusOf(stage).means}
                onClick={() => choose(stage.name)}
              >
                <span className={classes.stageName}>{stageName(stage.name)}</span>
                <span className={classes.stageFacts}>
                  <Mark kind={statusOf(stage).kind}>
                    {stage.lag === 0 ? statusOf(stage).words : `${number(stage.lag)} wait`}
                  </Mark>
                  <span>{rateWords(paceOf(history, stage.name).read)}</span>
                </span>
              </button>
            ))}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
