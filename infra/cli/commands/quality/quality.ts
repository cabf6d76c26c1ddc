import { type Command, Option } from 'commander';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { CliFeature } from '#infra/cli/commands/feature.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { TIME_RANGES } from '#schemas/http/time.ts';
import { type QualityReply, qualityText } from './quality-texts.ts';

interface Options extends ConnectionOptions {
  readonly range: string;
}

export const addQuality =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const measures = features.flatMap((one) => one.measures ?? []);
    const quality = connected(program.command('quality'))
      .description(
        ['how often causes were right, by what people said of groups', ...measures.map(({ words }) => words)].join(
          '; ',
        ),
      )
      .addOption(new Option('--range <range>', 'verdicts of the last').choices(Object.keys(TIME_RANGES)).default('7d'));
    for (const option of measures.flatMap((one) => [one.option, ...one.others])) quality.addOption(option);
    return quality.action(async (options: Options, command: Command) => {
      const measure = measures.find(({ option }) => command.getOptionValue(option.attributeName()) === true);
      if (measure) return measure.run(options, command.getOptionValueSource('url') === 'cli', environment);
      const path = `/api/events/quality?${queryOf({ timeRange: options.range })}`;
      show(environment.screen, options, await clientOf(options).get<QualityReply>(path), qualityText);
    });
  };
